import { describe, expect, test } from 'vitest'
import { sessionSchema } from '#contract/bff/session.ts'
import { userAddedSchema, userListSchema } from '#contract/bff/user.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { BOB, LANTERN_URL, openSingleSignOn, readUser } from '#test/support/open-single-sign-on.ts'
import { ensureFirstAccount } from './first-account.ts'
import { createBreakGlassLink, createSignInLink } from './sign-in-link.ts'

const OFF = { hasPasswordSignIn: false }
const FROM_AFAR = { peerAddress: '203.0.113.7' }
const tokenOf = (link: string | null) => new URL(link ?? '').hash.replace('#link=', '')

async function openWithoutPasswords(options: Parameters<typeof openSingleSignOn>[0] = {}) {
  const bff = await openSingleSignOn({ ...OFF, ...options })
  const breakGlass = (email: string = ADMIN.email) =>
    createBreakGlassLink(bff.database, email, {
      publicUrl: LANTERN_URL,
      maker: 'root@host',
      resetsFactors: false,
    })
  const follow = async (link: string | null, browser = bff.createBrowser()) =>
    browser.ask('/bff/sign-in/link', { body: { token: tokenOf(link) }, ...FROM_AFAR })
  return { ...bff, breakGlass, follow }
}

describe('without passwords', () => {
  test('no route takes or sets one, nor makes a link that does, and each says why', async () => {
    const bff = await openWithoutPasswords()
    expect(await (await bff.ask('/bff/sign-in/options')).json()).toMatchObject({ hasPasswordSignIn: false })
    const { user } = sessionSchema.parse(await (await bff.follow(await bff.breakGlass(), bff)).json())
    for (const [method, path, body] of [
      ['POST', '/bff/sign-in', ADMIN],
      [
        'POST',
        '/bff/sign-in/password-link',
        { token: 'a'.repeat(43), password: 'a staple of several words' },
      ],
      ['PUT', '/bff/profile/password', { current: ADMIN.password, password: 'a staple of several words' }],
      ['POST', `/bff/users/${user.id}/link`, undefined],
    ] as const) {
      const problem = await readProblem(await bff.ask(path, { method, body }))
      expect(problem).toMatchObject({ status: 404, title: 'There are no passwords here' })
    }
    expect((await bff.database.query('select from sign_in_attempt')).rowCount).toBe(0)
  })

  test('an added user gets no link, and signs in by a verified address, with the given role', async () => {
    const bff = await openWithoutPasswords()
    await bff.follow(await bff.breakGlass(), bff)
    const body = { email: BOB.email, role: 'analyst' }
    const { link } = userAddedSchema.parse(await (await bff.ask('/bff/users', { body })).json())
    expect(link).toBeNull()
    const user = await readUser(await bff.signInAs(bff.createBrowser(), BOB))
    expect(user).toMatchObject({ email: BOB.email, role: 'analyst' })
  })

  test('the first account has no password: its owner signs in by the provider', async () => {
    const { database, createBrowser, signInAs } = await openWithoutPasswords()
    await database.query('delete from account')
    const made = await ensureFirstAccount(database, { email: BOB.email }, 'localhost', false)
    expect(made).toEqual({ email: BOB.email, password: null, isPasswordGenerated: false })
    expect(await readUser(await signInAs(createBrowser(), BOB))).toMatchObject({ role: 'admin' })
  })

  test('a linked user cannot unlink', async () => {
    const bff = await openWithoutPasswords()
    await bff.follow(await bff.breakGlass(), bff)
    expect((await bff.linkAs(bff, BOB)).status).toBe(200)
    expect((await bff.ask('/bff/profile/sso', { method: 'DELETE' })).status).toBe(409)
  })

  test('an admin with only a password does not count: the other admin is the last', async () => {
    const roles = { claim: 'groups', pairs: [{ value: 'soc', role: 'analyst' }] } as const
    const bff = await openWithoutPasswords()
    const bob = bff.createBrowser()
    const { id } = await readUser(await bff.signInAs(bob, BOB))
    await bff.follow(await bff.breakGlass(), bff)
    const change = (asker: typeof bob, body: unknown) =>
      asker.ask(`/bff/users/${id}`, { method: 'PUT', body })
    // Nobody could sign in as an admin before, either.
    expect((await change(bff, { isDisabled: true })).status).toBe(200)
    expect((await change(bff, { isDisabled: false, role: 'admin' })).status).toBe(200)

    await bff.signInAs(bob, BOB)
    expect(await readProblem(await change(bob, { role: 'viewer' }))).toMatchObject({
      status: 409,
      title: 'This is the last admin',
    })
    const mapped = await bff.startBff({ roles })
    const answer = await bff.signInAs(mapped.createBrowser(), { ...BOB, groups: ['soc'] })
    expect(await readProblem(answer)).toMatchObject({ detail: expect.stringContaining('the last admin') })
  })
})

describe('a break-glass link', () => {
  test('lets an admin in from anywhere, once, and is in the record and among the users', async () => {
    const { breakGlass, follow, createBrowser, readAudit } = await openWithoutPasswords()
    const link = await breakGlass(ADMIN.email.toUpperCase())
    expect(await readAudit('break-glass-link-created')).toMatchObject([
      { actor: null, objectName: ADMIN.email },
    ])
    const browser = createBrowser()
    const second = await breakGlass()
    expect((await follow(link, browser)).status).toBe(200)
    const { users } = userListSchema.parse(await (await browser.ask('/bff/users')).json())
    expect(users[0]?.breakGlassUntil).toEqual(expect.stringMatching(/Z$/))
    expect(await readAudit('sign-in-by-break-glass')).toHaveLength(1)
    expect((await follow(link)).status).toBe(401)
    expect((await follow(second)).status).toBe(200)
  })

  test('works for an account without a password when its role requires a second factor', async () => {
    const { breakGlass, follow, database, createBrowser } = await openWithoutPasswords({
      factorRoles: ['admin'],
    })
    const withPassword = createBrowser()
    await follow(await breakGlass(), withPassword)
    expect((await withPassword.ask('/bff/users')).status).toBe(403)
    expect((await withPassword.ask('/bff/factors/totp', { method: 'POST' })).status).toBe(201)

    await database.query('update account set password_hash = null')
    const browser = createBrowser()
    const answer = await follow(await breakGlass(), browser)
    expect(await answer.json()).toMatchObject({ user: { email: ADMIN.email } })
    expect((await browser.ask('/bff/users')).status).toBe(200)
  })

  test('works for fifteen minutes', async () => {
    const { breakGlass, follow, database } = await openWithoutPasswords()
    const link = await breakGlass()
    const { rows } = await database.query(
      'select round(extract(epoch from expires_at - now()) / 60)::int as minutes from sign_in_link',
    )
    expect(rows).toEqual([{ minutes: 15 }])
    await database.query('update sign_in_link set expires_at = now()')
    expect((await follow(link)).status).toBe(401)
  })

  test('is created only for an active admin, and is void for a former one', async () => {
    const { breakGlass, follow, database, signInAs, createBrowser } = await openWithoutPasswords()
    await signInAs(createBrowser(), BOB)
    expect(await breakGlass(BOB.email)).toBeNull()
    expect(await breakGlass('nobody@corp.example')).toBeNull()
    const link = await breakGlass()
    await database.query(`update account set role = 'viewer' where email = $1`, [ADMIN.email])
    expect((await follow(link)).status).toBe(401)
    await database.query(`update account set role = 'admin', disabled_at = now() where email = $1`, [
      ADMIN.email,
    ])
    expect((await follow(link)).status).toBe(401)
    expect(await breakGlass()).toBeNull()
  })

  test('is the only sign-in link that works from another machine', async () => {
    const { database, follow } = await openWithoutPasswords()
    const problem = await readProblem(await follow(await createSignInLink(database, LANTERN_URL)))
    expect(problem.detail).toMatch('only on the machine')
  })
})
