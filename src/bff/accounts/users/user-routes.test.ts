import { expect, test } from 'vitest'
import { sessionSchema } from '#contract/bff/session.ts'
import { type User, userAnswerSchema, userListSchema, userWithLinkSchema } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'

const PASSWORD = 'a staple of several words'

/** A BFF where the admin is signed in, and a way to bring in others. */
async function openTeam(database: Database) {
  const bff = await createTestBff(database)
  await bff.signIn()
  async function invite(email: string, role: User['role']) {
    const answer = await bff.ask('/bff/users', { body: { email, role } })
    const { user, link } = userWithLinkSchema.parse(await answer.json())
    return { user, token: new URL(link.url).hash.replace('#password=', '') }
  }
  async function join(email: string, role: User['role']) {
    const { user, token } = await invite(email, role)
    const browser = bff.createBrowser()
    const body = { token, password: PASSWORD }
    expect((await browser.ask('/bff/sign-in/password-link', { body })).status).toBe(200)
    return { ...browser, user }
  }
  const change = (id: string, body: unknown) => bff.ask(`/bff/users/${id}`, { method: 'PUT', body })
  const list = async () => userListSchema.parse(await (await bff.ask('/bff/users')).json()).users
  return { ...bff, invite, join, change, list }
}

test(
  'a user comes in by a link that sets a password, once',
  withDatabase('bff', async (database) => {
    const { invite, list, createBrowser } = await openTeam(database)
    const { user, token } = await invite('Bob@example.com', 'analyst')
    expect(user).toMatchObject({ email: 'bob@example.com', name: 'bob', role: 'analyst', state: 'invited' })
    expect(Date.parse(user.linkExpiresAt ?? '') - Date.now()).toBeCloseTo(3 * 86_400_000, -5)

    const bob = createBrowser()
    const body = { token, password: PASSWORD }
    const session = await bob.ask('/bff/sign-in/password-link', { body })
    expect(sessionSchema.parse(await session.json()).user.role).toBe('analyst')
    expect((await createBrowser().ask('/bff/sign-in/password-link', { body })).status).toBe(401)
    expect((await createBrowser().signIn({ email: 'bob@example.com', password: PASSWORD })).status).toBe(200)
    expect((await list()).find(({ email }) => email === 'bob@example.com')).toMatchObject({
      state: 'active',
      sessions: 2,
      linkExpiresAt: null,
      lastSignInAt: expect.any(String),
    })
  }),
)

test(
  'links that are made up leave no record',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff(database)
    const body = { token: 'A'.repeat(43), password: PASSWORD }
    expect((await ask('/bff/sign-in/password-link', { body })).status).toBe(401)
    expect((await database.query('select from audit_event')).rowCount).toBe(0)
  }),
)

test(
  'reports an address in use and an easily guessed password at their fields',
  withDatabase('bff', async (database) => {
    const { ask, invite } = await openTeam(database)
    const twice = await readProblem(await ask('/bff/users', { body: { email: ADMIN.email, role: 'viewer' } }))
    expect(twice).toMatchObject({ status: 409, code: 'conflict', fields: [{ name: 'email' }] })

    const { token } = await invite('bob.baker@example.com', 'viewer')
    for (const password of ['short', 'password1234', 'aaaaaaaaaaaaa', 'bob.baker@example.com']) {
      const problem = await readProblem(
        await ask('/bff/sign-in/password-link', { body: { token, password } }),
      )
      expect(problem).toMatchObject({ status: 400, fields: [{ name: 'password' }] })
    }
  }),
)

test(
  'a link is void once another is made, or its time is over, or the account is disabled',
  withDatabase('bff', async (database) => {
    const { ask, invite, change } = await openTeam(database)
    const redeem = async (token: string) =>
      (await ask('/bff/sign-in/password-link', { body: { token, password: PASSWORD } })).status
    const { user, token } = await invite('bob@example.com', 'viewer')
    const makeLink = async () => {
      const made = await ask(`/bff/users/${user.id}/link`, { method: 'POST' })
      return new URL(userWithLinkSchema.parse(await made.json()).link.url).hash.replace('#password=', '')
    }
    const second = await makeLink()
    expect(await redeem(token)).toBe(401)

    await change(user.id, { isDisabled: true })
    expect(await redeem(second)).toBe(401)
    expect((await ask(`/bff/users/${user.id}/link`, { method: 'POST' })).status).toBe(409)

    await change(user.id, { isDisabled: false })
    expect(await redeem(second)).toBe(401)
    const third = await makeLink()
    await database.query('update password_link set expires_at = now()')
    expect(await redeem(third)).toBe(401)
  }),
)

test(
  'a new role ends the sessions under the old one, in every browser',
  withDatabase('bff', async (database) => {
    const { join, change } = await openTeam(database)
    const bob = await join('bob@example.com', 'viewer')

    const { user } = userAnswerSchema.parse(await (await change(bob.user.id, { role: 'admin' })).json())

    expect(user).toMatchObject({ role: 'admin', sessions: 0 })
    expect(await bob.readSession()).toBeNull()
    await bob.signIn({ email: 'bob@example.com', password: PASSWORD })
    expect((await bob.ask('/bff/users')).status).toBe(200)
  }),
)

test(
  'a user who changes their own role gets a new session token',
  withDatabase('bff', async (database) => {
    const { ask, join, change, cookies, readSession } = await openTeam(database)
    await join('bob@example.com', 'admin')
    const before = cookies.get('lantern_sid')
    const { user } = sessionSchema.parse(await readSession())

    await change(user.id, { role: 'viewer' })

    expect(cookies.get('lantern_sid')).not.toBe(before)
    expect(sessionSchema.parse(await readSession()).user.role).toBe('viewer')
    expect((await ask('/bff/users')).status).toBe(403)
  }),
)

test(
  'the last admin stays one, also where two admins demote each other at once',
  withDatabase('bff', async (database) => {
    const { ask, join, invite, change, readSession } = await openTeam(database)
    const { user: ada } = sessionSchema.parse(await readSession())
    // Invited only: nobody could sign in as this one yet.
    await invite('eve@example.com', 'admin')
    for (const body of [{ role: 'analyst' }, { isDisabled: true }]) {
      expect(await readProblem(await change(ada.id, body))).toMatchObject({
        status: 409,
        title: 'This is the last admin',
      })
    }

    const bob = await join('bob@example.com', 'admin')
    const demote = (browser: typeof bob | { ask: typeof ask }, id: string) =>
      browser.ask(`/bff/users/${id}`, { method: 'PUT', body: { role: 'viewer' } })
    const answers = await Promise.all([demote({ ask }, bob.user.id), demote(bob, ada.id)])
    const { rows } = await database.query(
      `select from account where role = 'admin' and password_hash is not null`,
    )
    expect(rows).toHaveLength(1)
    expect(answers.map(({ status }) => status)).toContain(200)
  }),
)

test(
  'signs a disabled account out at once, and says why only after the right password',
  withDatabase('bff', async (database) => {
    const { join, change, createBrowser } = await openTeam(database)
    const bob = await join('bob@example.com', 'analyst')
    await change(bob.user.id, { isDisabled: true })

    expect(await bob.readSession()).toBeNull()
    const right = await createBrowser().signIn({ email: 'bob@example.com', password: PASSWORD })
    expect(await readProblem(right)).toMatchObject({ status: 401, title: 'This account is disabled' })
    const wrong = await createBrowser().signIn({ email: 'bob@example.com', password: 'wrong' })
    expect((await readProblem(wrong)).title).toBe('Sign-in failed')

    await change(bob.user.id, { isDisabled: false })
    expect((await bob.signIn({ email: 'bob@example.com', password: PASSWORD })).status).toBe(200)
  }),
)

test(
  'an admin signs a user out everywhere',
  withDatabase('bff', async (database) => {
    const { ask, join, readSession } = await openTeam(database)
    const bob = await join('bob@example.com', 'viewer')

    expect((await ask(`/bff/users/${bob.user.id}/sign-out`, { method: 'POST' })).status).toBe(200)

    expect(await bob.readSession()).toBeNull()
    expect(await readSession()).not.toBeNull()
  }),
)

test(
  'only admins see or change users, and fields that are not offered are refused',
  withDatabase('bff', async (database) => {
    const { ask, join } = await openTeam(database)
    const bob = await join('bob@example.com', 'analyst')
    const own = `/bff/users/${bob.user.id}`
    expect((await bob.ask('/bff/users')).status).toBe(403)
    expect((await bob.ask(own, { method: 'PUT', body: { role: 'admin' } })).status).toBe(403)
    expect((await bob.ask(`${own}/link`, { method: 'POST' })).status).toBe(403)
    expect((await bob.ask('/bff/users', { body: { email: 'a@b.example', role: 'admin' } })).status).toBe(403)

    const massAssignment = await ask(own, { method: 'PUT', body: { role: 'viewer', email: 'x@y.example' } })
    expect(massAssignment.status).toBe(400)
    expect(
      (await ask('/bff/users/00000000-0000-4000-8000-000000000000', { method: 'PUT', body: {} })).status,
    ).toBe(404)
  }),
)

test.each([
  ['demoted to a viewer', [{ role: 'viewer' }, { role: 'analyst' }]],
  ['disabled', [{ isDisabled: true }, { isDisabled: false }]],
] as const)('the feeds of an account that was %s stay closed when it is an analyst again', (_, changes) =>
  withDatabase('bff', async (database) => {
    const { join, change } = await openTeam(database)
    const { user } = await join('bob@example.com', 'analyst')
    await database.query(
      `insert into saved_view (account_id, name, filter, time_zone, is_shared, feed_token_hash)
       values ($1, 'a', '{}', 'UTC', false, sha256('a'))`,
      [user.id],
    )
    for (const one of changes) expect((await change(user.id, one)).status).toBe(200)
    const { rows } = await database.query('select feed_token_hash as hash from saved_view')
    expect(rows).toEqual([{ hash: null }])
  })(),
)
