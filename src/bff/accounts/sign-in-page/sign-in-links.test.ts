import { expect, test } from 'vitest'
import { createSignInLink } from '#bff/accounts/sign-in/sign-in-link.ts'
import { userWithLinkSchema } from '#contract/bff/user.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { BOB, openSingleSignOn } from '#test/support/open-single-sign-on.ts'
import { openPage, sendForm } from '#test/support/sign-in-form.ts'
import { withDatabase } from '#test/support/with-database.ts'

const ADD_EVE = `insert into account (email, name, role) values ('eve@example.com', 'eve', 'viewer') returning id`

test(
  'the link that the start prints signs in once, pasted whole or its fragment alone',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    const url = (await createSignInLink(database, 'http://localhost:4173')) ?? ''
    const link = { step: 'link', link: new URL(url).hash.slice(1) }
    const answer = await sendForm(bff, link, { address: '/sign-in?redirect=%2Fthreats' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/threats'])

    const again = await sendForm(bff.createBrowser(), { step: 'link', link: ` ${url}\n` })
    expect([again.status, await again.text()]).toEqual([
      401,
      expect.stringContaining('The link has been used, or is too old.'),
    ])
    const broken = await sendForm(bff.createBrowser(), { step: 'link', link: url.slice(0, -1) })
    expect(await broken.text()).toMatch(/<details open>.*Paste the whole link\./s)
  }),
)

test(
  'an invitation accepts a new password, reports its faults, and signs in once',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    await bff.signIn()
    const { rows } = await database.query(ADD_EVE)
    const made = await bff.ask(`/bff/users/${Reflect.get(Object(rows[0]), 'id')}/link`, { method: 'POST' })
    const { url } = userWithLinkSchema.parse(await made.json()).link
    const eve = bff.createBrowser()

    const page = await (await sendForm(eve, { step: 'link', link: url })).text()
    expect(page).toContain('Choose a password')
    const [, token = ''] = /name="link" value="([^"]+)"/.exec(page) ?? []
    const short = await sendForm(eve, { step: 'new-password', link: token, password: 'short' })
    expect([short.status, await short.text()]).toEqual([400, expect.stringContaining('Use 12 characters or')])
    const weak = await sendForm(eve, { step: 'new-password', link: token, password: 'password1234' })
    expect([weak.status, await weak.text()]).toEqual([400, expect.stringContaining('class="fault"')])
    const good = { step: 'new-password', link: token, password: 'several unrelated words of eve' }
    expect((await sendForm(eve, good)).headers.get('location')).toBe('/welcome')
    expect(await eve.readSession()).toMatchObject({ user: { email: 'eve@example.com' } })
    const used = await sendForm(bff.createBrowser(), good)
    expect([used.status, await used.text()]).toEqual([401, expect.stringContaining('used or replaced')])
  }),
)

test(
  'without passwords the page offers only single sign-on, also for an invitation',
  withDatabase('bff', async (database) => {
    const singleSignOn = {
      issuer: 'http://127.0.0.1:1',
      clientId: 'a',
      clientSecret: 'b',
      secret: 'c'.repeat(32),
    }
    const bff = await createTestBff(database, { hasPasswordSignIn: false, singleSignOn })
    const page = await (await openPage(bff, '/sign-in')).text()
    expect(page).toContain('Sign in with single sign-on')
    expect(page).toContain('the command <code>break-glass</code>')
    expect(page).not.toMatch(/name="(email|password)"/)
    const invited = await sendForm(bff, { step: 'link', link: `password=${'a'.repeat(43)}` })
    expect(await invited.text()).toContain('There are no passwords here any more')
    const forced = await sendForm(bff, { step: 'password', email: 'ada@example.com', password: 'any' })
    expect([forced.status, await forced.text()]).toEqual([404, expect.stringContaining('no passwords here')])
    const away = await sendForm(bff, { step: 'sso' })
    expect([away.status, await away.text()]).toEqual([503, expect.stringContaining('does not answer')])
  }),
)

test('single sign-on opens the provider by a page, and returns by a form to the requested page', async () => {
  const { createBrowser, provider } = await openSingleSignOn()
  provider.be(BOB)
  const bob = createBrowser()
  const address = '/sign-in?redirect=%2Fthreats%3Fcountry%3DDE'
  const leaving = await sendForm(bob, { step: 'sso' }, { address })
  expect(leaving.status).toBe(200)
  const [, escaped = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(await leaving.text()) ?? []
  const back = await provider.createBrowser().visit(escaped.replaceAll('&amp;', '&'))

  const arrival = `${back.pathname}${back.search}`
  const page = await (await openPage(bob, arrival, 'cross-site')).text()
  expect(page).toMatch(/data-go>.*name="state" value="[\w-]+".*Signing you in…/s)
  const answer = await sendForm(
    bob,
    { step: 'sso-finish', ...Object.fromEntries(back.searchParams) },
    { address: arrival },
  )
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/threats?country=DE'])
  expect(await bob.readSession()).toMatchObject({ user: { email: BOB.email } })

  const replayed = await sendForm(createBrowser(), { step: 'sso-finish', state: 'made-up', code: 'c' })
  expect([replayed.status, await replayed.text()]).toEqual([
    401,
    expect.stringContaining('not begun in this browser'),
  ])
})

test('a user whose account was not linked gets a link back to their profile', async () => {
  const { signIn, ...bff } = await openSingleSignOn()
  await signIn()
  const answer = await sendForm(bff, { step: 'sso-finish', state: 's', code: 'c' })
  expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('Back to your profile')])
})
