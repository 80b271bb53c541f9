import { expect, test } from 'vitest'
import { profileSchema } from '#contract/bff/profile.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { codeOf, enrolTotp } from '#test/support/enrol-totp.ts'
import { lengthenWaits } from '#test/support/lengthen-waits.ts'
import { OWN_FORM, openPage, sendForm } from '#test/support/sign-in-form.ts'
import { withDatabase } from '#test/support/with-database.ts'

type TestBff = Awaited<ReturnType<typeof createTestBff>>
const CREDENTIALS = { step: 'password', ...ADMIN }
/** The document with its style sheet: it fits into the first flight of a connection. */
const DOCUMENT_MAX_BYTES = 12_000
/** All that a browser loads before the app's files, with the headers of each answer. */
const PAGE_MAX_BYTES = 15_000

function withBff(run: (bff: TestBff) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await createTestBff(database)))
}

test(
  'a form signs in without script, and leads to where the person was going',
  withBff(async (bff) => {
    const address = `/sign-in?${new URLSearchParams({ redirect: '/threats?country=DE&country=FR&q=a%20b' })}`
    const page = await openPage(bff, address)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')

    const answer = await sendForm(bff, CREDENTIALS, { address })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/threats?country=DE&country=FR&q=a%20b',
    ])
    expect(await bff.readSession()).toMatchObject({ user: { email: ADMIN.email } })
  }),
)

const HOSTILE = [
  '//evil.example/x',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'threats',
  '/sign-in?redirect=%2Fsign-in',
  '/bff/sign-out',
  `/threats?q=${'a'.repeat(9_000)}`,
  '',
]

test(
  'redirects to no other site after sign-in, with any address',
  withBff(async (bff) => {
    expect((await sendForm(bff.createBrowser(), CREDENTIALS)).headers.get('location')).toBe('/welcome')
    for (const redirect of HOSTILE) {
      const address = `/sign-in?${new URLSearchParams({ redirect })}`
      const browser = bff.createBrowser()
      expect(await (await openPage(browser, address)).text()).not.toContain('evil')
      const answer = await sendForm(browser, CREDENTIALS, { address })
      expect([redirect, answer.status, answer.headers.get('location')]).toEqual([redirect, 303, '/'])
    }
  }),
)

test(
  'the first sign-in that leads nowhere else leads to the welcome page, once for each account',
  withBff(async (bff) => {
    const hasSeenWelcome = async () =>
      profileSchema.parse(await (await bff.ask('/bff/profile')).json()).hasSeenWelcome
    const placeOf = async (redirect: string) => {
      const address = `/sign-in?${new URLSearchParams({ redirect })}`
      return (await sendForm(bff.createBrowser(), CREDENTIALS, { address })).headers.get('location')
    }
    await bff.signIn()
    expect(await placeOf('/threats/a')).toBe('/threats/a')
    expect(await placeOf('/?period=7d')).toBe('/?period=7d')
    expect(await hasSeenWelcome()).toBe(false)
    expect(await placeOf('/')).toBe('/welcome')
    expect(await hasSeenWelcome()).toBe(true)
    expect(await placeOf('/')).toBe('/')
    expect(await placeOf('')).toBe('/')
  }),
)

test(
  'says what is wrong, keeps the email and never the password',
  withBff(async (bff) => {
    const answer = await sendForm(bff, { ...CREDENTIALS, password: 'wrong"><b>horse' })
    const page = await answer.text()
    expect(answer.status).toBe(401)
    expect(page).toContain('The email or the password is wrong.')
    expect(page).toContain(`value="${ADMIN.email}"`)
    expect(page).not.toContain('horse')

    const empty = await sendForm(bff, { ...CREDENTIALS, email: 'ada', password: '' })
    expect(empty.status).toBe(400)
    const named = await empty.text()
    expect(named).toContain('aria-invalid="true"')
    expect(named).toMatch(/id="email-note" class="fault">Enter the email address of your account\./)
    expect(named).toMatch(/id="password-note" class="fault">Enter your password\./)
  }),
)

test(
  'limits attempts as the JSON route does, and states the wait',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    for (let attempt = 0; attempt < 5; attempt += 1)
      await sendForm(bff, { ...CREDENTIALS, password: 'wrong' })
    await lengthenWaits(database)
    const limited = await sendForm(bff, CREDENTIALS)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await limited.text()).toMatch(/Too many attempts.*Try again in \d+ s\./s)
    expect((await bff.signIn()).status).toBe(429)
  }),
)

test(
  'accepts forms only from its own pages',
  withBff(async (bff) => {
    const { origin, 'sec-fetch-site': site, ...unnamed } = OWN_FORM
    const forgeries: Record<string, string>[] = [
      { ...OWN_FORM, 'sec-fetch-site': 'cross-site' },
      { ...OWN_FORM, 'sec-fetch-site': 'same-site' },
      { ...OWN_FORM, 'sec-fetch-site': 'none' },
      { ...OWN_FORM, origin: 'https://evil.example' },
      { ...OWN_FORM, origin: 'null' },
      unnamed,
    ]
    for (const headers of forgeries) {
      expect((await sendForm(bff, CREDENTIALS, { headers })).status, JSON.stringify(headers)).toBe(403)
    }
    // A sibling domain can set no cookie of ours: a token that is not the cookie's is another page's.
    const other = await sendForm(bff, { ...CREDENTIALS, token: 'a'.repeat(43) })
    expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('Try again.')])
    expect(await bff.readSession()).toBeNull()

    for (const headers of [
      { ...unnamed, origin },
      { ...unnamed, 'sec-fetch-site': site },
    ]) {
      expect((await sendForm(bff.createBrowser(), CREDENTIALS, { headers })).status).toBe(303)
    }
  }),
)

test(
  'tells a browser without cookies why no form works',
  withBff(async (bff) => {
    const answers = [await sendForm(bff, CREDENTIALS, { address: '/sign-in?redirect=%2Fthreats' })]
    bff.cookies.clear()
    const body = new URLSearchParams({ ...CREDENTIALS, token: 'a'.repeat(43) }).toString()
    answers.push(await bff.ask('/sign-in', { method: 'POST', body, headers: OWN_FORM }))
    expect(answers.map(({ status }) => status)).toEqual([303, 400])
    expect(await answers[1]?.text()).toContain('allow cookies for this address')
  }),
)

test(
  'a passkey that cannot be read is refused, however deep it is',
  withBff(async (bff) => {
    const page = await (await openPage(bff, '/sign-in', 'same-origin')).text()
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
    for (const depth of [1, 30_000]) {
      const body = `step=passkey&token=${token}&passkey=${'['.repeat(depth)}${']'.repeat(depth)}`
      const answer = await bff.ask('/sign-in', { method: 'POST', body, headers: OWN_FORM })
      expect([depth, answer.status, await answer.text()]).toEqual([
        depth,
        400,
        expect.stringContaining('The passkey was not accepted'),
      ])
    }
  }),
)

test(
  'requests the second factor after the password, on a separate page',
  withBff(async (bff) => {
    await bff.signIn()
    const { secret, recoveryCodes } = await enrolTotp(bff)
    const address = '/sign-in?redirect=%2Fthreats%3Fq%3Da'
    const browser = bff.createBrowser()
    const first = await sendForm(browser, CREDENTIALS, { address })
    expect([first.status, first.headers.get('location')]).toEqual([303, address])

    const page = await (await openPage(browser, address, 'same-origin')).text()
    expect(page).toContain('Confirm that it is you')
    expect(page).toContain('href="/sign-in?redirect=%2Fthreats%3Fq%3Da&amp;by=recovery"')
    expect(page).not.toContain('Use a passkey')
    expect(page).toContain('The six digits that your app shows now.')
    const wrong = await sendForm(browser, { step: 'code', code: '000 000' }, { address })
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('The code is wrong')])
    const none = await sendForm(browser, { step: 'code', code: 'abc' }, { address })
    expect(await none.text()).toContain('class="fault">Enter the six digits')
    const right = await sendForm(browser, { step: 'code', code: codeOf(secret, 30) }, { address })
    expect([right.status, right.headers.get('location')]).toEqual([303, '/threats?q=a'])
    expect(await browser.readSession()).not.toBeNull()

    const lost = bff.createBrowser()
    await sendForm(lost, CREDENTIALS)
    const recovery = await (await openPage(lost, '/sign-in?by=recovery')).text()
    expect(recovery).toMatch(/Recovery code.*One of the codes that you stored.*Each works once\./s)
    const recovered = await sendForm(lost, { step: 'recoveryCode', recoveryCode: recoveryCodes[0] ?? '' })
    expect([recovered.status, recovered.headers.get('location')]).toEqual([303, '/welcome'])

    const again = bff.createBrowser()
    await sendForm(again, CREDENTIALS)
    expect(await (await openPage(again, '/sign-in?begin=again')).text()).toContain('name="email"')
  }),
)

test(
  'the page of an ended session opens again only for the same person',
  withBff(async (bff) => {
    const user = (await bff.signIn().then(() => bff.readSession()))?.user
    const back = { reason: 'session_ended', redirect: '/threats?q=secret' }
    for (const [userId, place] of [
      [user?.id ?? '', '/threats?q=secret'],
      ['another', '/welcome'],
    ] as const) {
      const address = `/sign-in?${new URLSearchParams({ ...back, for: userId })}`
      const browser = bff.createBrowser()
      expect(await (await openPage(browser, address)).text()).toContain('Your session ended, here or in')
      expect((await sendForm(browser, CREDENTIALS, { address })).headers.get('location')).toBe(place)
    }
  }),
)

test(
  'a strict policy holds on the page: its own style, no inline script, forms to itself alone',
  withBff(async (bff) => {
    const { headers } = await openPage(bff, '/sign-in')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\w+/]{43}='; /)
    expect(policy).toContain("form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'")
    expect(headers.get('cache-control')).toBe('no-store')
    // With no-referrer a browser would post the form with an origin of null.
    expect(headers.get('referrer-policy')).toBe('same-origin')
    const page = await (await openPage(bff, '/sign-in')).text()
    expect(page).not.toMatch(/ style=| on\w+=|<script>/)
  }),
)

test(
  'what an address says is text on the page, whatever it is',
  withBff(async (bff) => {
    const nasty = '"><script>alert(1)</script>'
    const search = new URLSearchParams({
      redirect: `/threats?q=${nasty}`,
      for: nasty,
      state: nasty,
      code: nasty,
    })
    for (const address of [`/sign-in?${search}`, `/sign-in?for=${encodeURIComponent(nasty)}`]) {
      expect(await (await openPage(bff, address)).text()).not.toContain('<script>alert')
    }
    const typed = await sendForm(bff, { ...CREDENTIALS, email: nasty })
    expect(await typed.text()).not.toContain('<script>alert')
  }),
)

test(
  'every page of sign-in weighs at most 15 kB with all that it loads, and loads no font',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { staticFolder: 'public' })
    const [outside, within] = [bff.createBrowser(), bff.createBrowser()]
    await bff.signIn()
    await enrolTotp(bff)
    await sendForm(within, CREDENTIALS)
    const link = { step: 'link', link: `password=${'a'.repeat(43)}` }
    const pages: [string, Response][] = [
      ['Sign in to Lantern', await openPage(outside, '/sign-in?reason=session_ended')],
      ['Sign in to Lantern', await sendForm(outside, { ...CREDENTIALS, password: 'wrong' })],
      ['Choose a password', await sendForm(outside, link)],
      ['Choose a password', await sendForm(outside, { ...link, step: 'new-password', password: 'short' })],
      ['Confirm that it is you', await openPage(within, '/sign-in')],
      ['Confirm that it is you', await sendForm(within, { step: 'code', code: '000 000' })],
      ['Confirm that it is you', await openPage(within, '/sign-in?by=recovery')],
      ['Sign in to Lantern', await openPage(outside, '/sign-in?state=s&code=c')],
      ['Sign in to Lantern', await openPage(bff, '/sign-in')],
    ]
    for (const [heading, page] of pages) {
      const document = await page.clone().text()
      expect(document).toContain(`<h1>${heading}</h1>`)
      expect(document).not.toMatch(/@font-face|@import|url\(/)
      expect(Buffer.byteLength(document)).toBeLessThan(DOCUMENT_MAX_BYTES)
      expect(findLoaded(document)).toEqual(['/icon.svg', '/theme.js', '/sign-in.js'])
      const files = findLoaded(document).map((path) =>
        bff.ask(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } }),
      )
      const sizes = await Promise.all([page, ...(await Promise.all(files))].map(countBytes))
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(PAGE_MAX_BYTES)
    }
  }),
)

/** Returns what a document makes a browser load, except the app's files, which are loaded last. */
function findLoaded(document: string): string[] {
  const tags = document.match(/<(?:link|script|img|iframe|video|audio|source|object|embed)\b[^>]*>/g) ?? []
  return tags.flatMap((tag) => {
    const [, path] = / (?:src|href|data)="([^"]+)"/.exec(tag) ?? []
    return path === undefined || tag.includes('rel="prefetch"') ? [] : [path]
  })
}

async function countBytes(response: Response): Promise<number> {
  expect(response.status).not.toBe(404)
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return headers.length + (await response.arrayBuffer()).byteLength
}
