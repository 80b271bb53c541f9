import { expect, test } from 'vitest'
import { endedSessionsChannel } from '#bff/accounts/sign-in/session-store.ts'
import { ownSessionsSchema } from '#contract/bff/own-session.ts'
import { listen } from '#database/listen.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'
import { describeDevice } from './welcome.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

type Ask = Awaited<ReturnType<typeof createTestBff>>['ask']

async function listOwn(ask: Ask) {
  return ownSessionsSchema.parse(await (await ask('/bff/sessions')).json()).sessions
}

test(
  'lists a user’s sessions with browser and address, and marks the current one',
  withDatabase('bff', async (database) => {
    const { ask, createBrowser } = await createTestBff(database)
    await ask('/bff/sign-in', { body: ADMIN, headers: { 'user-agent': FIREFOX } })
    const phone = createBrowser('203.0.113.7')
    await phone.ask('/bff/sign-in', { body: ADMIN, headers: { 'user-agent': PHONE } })
    await database.query(
      `insert into session (token_hash, account_id, expires_at)
       select sha256('old'), id, now() - interval '1 second' from account`,
    )

    expect(await listOwn(ask)).toMatchObject([
      { device: 'Firefox on Linux', address: '127.0.0.1', isThis: true, beganBy: 'password' },
      { device: 'Safari on iPhone', address: '203.0.113.7', isThis: false },
    ])
  }),
)

test('a session ended from the list ends at once, also in another process', async () => {
  const database = await takeDatabase('bff')
  const [one, other] = [await createTestBff(database), await createTestBff(database)]
  const notified: string[] = []
  const channel = endedSessionsChannel(other.sessions, (id) => notified.push(id))
  const stop = await listen(database.pool, [channel], () => {})
  try {
    await one.signIn()
    await other.signIn()
    // The session is in the other process's memory from here on.
    expect(await other.readSession()).not.toBeNull()
    const [mine, theirs] = await listOwn(one.ask)
    expect([mine?.isThis, theirs?.isThis]).toEqual([true, false])

    const left = await one.ask(`/bff/sessions/${theirs?.id}`, { method: 'DELETE' })
    expect(ownSessionsSchema.parse(await left.json()).sessions).toHaveLength(1)

    await expect.poll(() => other.readSession()).toBeNull()
    expect(notified).toHaveLength(1)
    expect((await other.ask('/bff/profile')).status).toBe(401)
    expect(await one.readSession()).not.toBeNull()
  } finally {
    await stop()
  }
})

test(
  'ends all other sessions but not this one, and no session of another user',
  withDatabase('bff', async (database) => {
    const { ask, signIn, createBrowser, readSession } = await createTestBff(database)
    await signIn()
    const others = [createBrowser(), createBrowser()]
    for (const browser of others) await browser.signIn()
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'bob@example.com', 'bob', 'viewer', password_hash from account`,
    )
    const bob = createBrowser()
    await bob.signIn({ email: 'bob@example.com', password: ADMIN.password })
    const [bobs] = await listOwn(bob.ask)
    const foreign = await ask(`/bff/sessions/${bobs?.id}`, { method: 'DELETE' })
    expect(await readProblem(foreign)).toMatchObject({ status: 404 })

    expect((await ask('/bff/sessions/end-others', { method: 'POST' })).status).toBe(200)
    for (const browser of others) expect(await browser.readSession()).toBeNull()
    expect([await readSession(), await bob.readSession()]).not.toContain(null)

    const [mine] = await listOwn(ask)
    const own = await ask(`/bff/sessions/${mine?.id}`, { method: 'DELETE' })
    expect(await readProblem(own)).toMatchObject({ status: 409, detail: 'Sign out to end it.' })
    const { rows } = await database.query(
      `select after from audit_event where action = 'other-sessions-ended'`,
    )
    expect(rows).toEqual([{ after: '{"ended":2}' }])
  }),
)

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['<script>alert(1)</script>', 'Unknown browser'],
  ['', 'Unknown browser'],
])('says of %s: %s', (userAgent, says) => {
  expect(describeDevice(userAgent)).toBe(says)
})
