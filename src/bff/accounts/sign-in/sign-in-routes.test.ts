import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { problemSchema } from '#contract/bff/problem.ts'
import { sessionSchema } from '#contract/bff/session.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { refuseRecords } from '#test/support/refuse-records.ts'
import { withDatabase } from '#test/support/with-database.ts'

const BACKGROUND = { headers: { 'x-lantern-background': '1' } }

test(
  'signs in with email and password, whatever the letter case of the email',
  withDatabase('bff', async (database) => {
    const { signIn, readSession } = await createTestBff(database)

    const response = await signIn({ ...ADMIN, email: 'ADA@example.com' })

    const session = sessionSchema.parse(await response.json())
    expect(session.user).toMatchObject({ email: ADMIN.email, name: 'ada', role: 'admin' })
    expect(Date.parse(session.expiresAt) - Date.now()).toBeCloseTo(12 * HOUR_MS, -5)
    expect(await readSession()).toEqual(session)
  }),
)

test(
  'a wrong password and an unknown account get the same answer',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await createTestBff(database)
    const answers = await Promise.all(
      [ADMIN.email, 'nobody@example.com'].map((email) =>
        createBrowser().signIn({ email, password: 'wrong' }),
      ),
    )

    const problems = await Promise.all(
      answers.map(async (answer) => problemSchema.parse(await answer.json())),
    )
    const [known, unknown] = problems.map(({ requestId, ...problem }) => problem)
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 401, code: 'sign_in_failed' })
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([])
  }),
)

test(
  'keeps only hashes of its tokens',
  withDatabase('bff', async (database) => {
    const { signIn, cookies } = await createTestBff(database)
    await signIn()

    const { rows } = await database.query(
      `select encode(session.token_hash, 'hex') as session, place as device
         from session, known_place where place like 'device %'`,
    )
    const sha256 = (name: string) =>
      createHash('sha256')
        .update(cookies.get(name) ?? '')
        .digest('hex')
    expect(rows).toEqual([{ session: sha256('lantern_sid'), device: `device ${sha256('lantern_device')}` }])
    expect(cookies.get('lantern_sid')).toMatch(/^[\w-]{43}$/)
    const { rows: dump } = await database.query(
      `select string_agg(t::text, '') as text from (select to_jsonb(s) from session s union all select to_jsonb(a) from account a) t`,
    )
    expect(JSON.stringify(dump)).not.toContain(ADMIN.password)
  }),
)

test(
  'its cookies are out of reach of scripts and other sites',
  withDatabase('bff', async (database) => {
    const plain = await (await createTestBff(database)).signIn()
    const secure = await (await createTestBff(database, { publicUrl: 'https://lantern.example' })).signIn()

    const [plainSession, plainDevice] = plain.headers.getSetCookie()
    const [secureSession, secureDevice] = secure.headers.getSetCookie()
    expect(plainSession).toMatch(/^lantern_sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(plainDevice).toMatch(/^lantern_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
    expect(secureSession).toMatch(/^__Host-Http-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    expect(secureDevice).toMatch(/^__Host-Http-device=.*; Secure; Max-Age=\d+$/)
  }),
)

test(
  'a second sign-in gives a fresh token and ends the session before it',
  withDatabase('bff', async (database) => {
    const { signIn, cookies, createBrowser, readSession } = await createTestBff(database)
    await signIn()
    const first = cookies.get('lantern_sid') ?? ''
    await signIn()

    const other = createBrowser()
    other.cookies.set('lantern_sid', first)
    expect(await other.readSession()).toBeNull()
    expect(await readSession()).not.toBeNull()
  }),
)

test(
  'replaces a session token that the browser already had',
  withDatabase('bff', async (database) => {
    const { signIn, cookies } = await createTestBff(database)
    const planted = 'A'.repeat(43)
    cookies.set('lantern_sid', planted)
    await signIn()

    expect(cookies.get('lantern_sid')).not.toBe(planted)
  }),
)

test(
  'a session ends after 30 idle minutes',
  withDatabase('bff', async (database) => {
    const { signIn, wait, readSession } = await createTestBff(database)
    await signIn()
    await database.query(`update session set seen_at = now() - interval '29 minutes 58 seconds'`)
    wait(5_001)
    expect(await readSession(BACKGROUND.headers)).not.toBeNull()

    await database.query(`update session set seen_at = now() - interval '30 minutes 1 second'`)
    // Less than a session is remembered for: it was remembered only until its own end.
    wait(2_001)
    expect(await readSession()).toBeNull()
  }),
)

test(
  'what a person does keeps a session from idling out; background polls do not',
  withDatabase('bff', async (database) => {
    const { ask, signIn, wait } = await createTestBff(database)
    await signIn()
    const idleSeconds = async () => {
      const { rows } = await database.query(
        `select round(extract(epoch from now() - seen_at))::int as seconds from session`,
      )
      return rows
    }
    await database.query(`update session set seen_at = now() - interval '20 minutes'`)
    wait(5_001)

    await ask('/bff/session', BACKGROUND)
    await ask('/bff/session', BACKGROUND)
    expect(await idleSeconds()).toEqual([{ seconds: 1200 }])

    await ask('/bff/session')
    await expect.poll(idleSeconds).toEqual([{ seconds: 0 }])
  }),
)

test(
  'a session ends after 12 hours, however busy',
  withDatabase('bff', async (database) => {
    const { signIn, wait, readSession } = await createTestBff(database)
    await signIn()
    await database.query(`update session set expires_at = now()`)
    wait(5_001)

    expect(await readSession()).toBeNull()
  }),
)

test(
  'sign-out ends the session at once, clears the browser and leaves other browsers signed in',
  withDatabase('bff', async (database) => {
    const { ask, signIn, cookies, createBrowser, readSession } = await createTestBff(database)
    const other = createBrowser()
    await signIn()
    await other.signIn()
    const token = cookies.get('lantern_sid') ?? ''

    const response = await ask('/bff/sign-out', { body: {} })

    expect(response.status).toBe(204)
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    expect(cookies.has('lantern_sid')).toBe(false)
    cookies.set('lantern_sid', token)
    expect(await readSession()).toBeNull()
    expect(await other.readSession()).not.toBeNull()
  }),
)

test(
  'sign-out everywhere ends every session of the account, and no other account',
  withDatabase('bff', async (database) => {
    const { ask, signIn, createBrowser } = await createTestBff(database)
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'bob@example.com', 'bob', 'viewer', password_hash from account`,
    )
    const [second, bob] = [createBrowser(), createBrowser()]
    await signIn()
    await second.signIn()
    await bob.signIn({ ...ADMIN, email: 'bob@example.com' })

    expect((await ask('/bff/sign-out', { body: { everywhere: true } })).status).toBe(204)

    expect(await second.readSession()).toBeNull()
    expect(await bob.readSession()).not.toBeNull()
  }),
)

test(
  'records each sign-in and sign-out',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    await signIn({ ...ADMIN, password: 'wrong' })
    const { user } = sessionSchema.parse(await (await signIn()).json())
    await ask('/bff/sign-out', { body: {} })

    const { rows } = await database.query('select actor, action, route, address from audit_event order by id')
    const event = { actor: user.id, route: 'POST /bff/sign-in', address: '127.0.0.1' }
    expect(rows).toEqual([
      { ...event, action: 'sign-in-failed' },
      { ...event, action: 'sign-in' },
      { ...event, action: 'sign-out', route: 'POST /bff/sign-out' },
    ])
    for (const change of [
      'update audit_record set actor = null',
      'delete from audit_personal',
      'truncate audit_link',
    ]) {
      await expect(database.query(change)).rejects.toThrow('append-only')
    }
  }),
)

test(
  'the sign-in page learns whether it is needed, without an error',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    const options = async () => (await ask('/bff/sign-in/options')).json()

    expect(await options()).toEqual({ hasSession: false, hasSingleSignOn: false, hasPasswordSignIn: true })
    await signIn()
    expect(await options()).toEqual({ hasSession: true, hasSingleSignOn: false, hasPasswordSignIn: true })
  }),
)

test(
  'sign-in, sign-out and profile changes fail if the audit record cannot be written',
  withDatabase('bff', async (database) => {
    const { ask, signIn, createBrowser, readSession } = await createTestBff(database)
    await signIn()
    const readAll = async () =>
      (
        await database.query(
          `select (select count(*) from session) as sessions, (select count(*) from known_place) as places,
                  (select array_agg(name || password_hash) from account) as accounts`,
        )
      ).rows
    const before = await readAll()
    await refuseRecords(database)

    const passwords = { current: ADMIN.password, password: 'a staple of several words' }
    const answers = [
      await createBrowser().signIn(),
      await ask('/bff/sign-out', { body: { everywhere: true } }),
      await ask('/bff/profile', { method: 'PUT', body: { name: 'other' } }),
      await ask('/bff/profile/password', { method: 'PUT', body: passwords }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500])
    expect(await readAll()).toEqual(before)
    expect(await readSession()).not.toBeNull()
  }),
)
