import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createToken, hashToken } from '#bff/http/token.ts'
import { userWithLinkSchema } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { enrolTotp } from '#test/support/enrol-totp.ts'
import { countWaiting, holdSignIns } from '#test/support/hold-sign-ins.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { rememberPlaces } from './account-queries.ts'
import { passwordBucket } from './attempt-limit.ts'
import { createSignInLink } from './sign-in-link.ts'

const HELD = 3
const RACERS = 12
const BOB = { email: 'bob@example.com', password: ADMIN.password }
const NEW_PASSWORD = 'entirely different words'
const CHANGE_PATH = '/bff/profile/password'
/** Without notices, a session is cached for this long. */
const REMEMBERED_MS = 5_001
const LIMITS = { timeout: 60_000 }
const POLLED = { timeout: 30_000 }

type TestBff = Awaited<ReturnType<typeof createTestBff>>

const idOf = (rows: unknown) => z.tuple([z.object({ id: z.string() })]).parse(rows)[0].id

async function findAdminId(database: Database): Promise<string> {
  return idOf((await database.query('select id from account where email = $1', [ADMIN.email])).rows)
}

/** An analyst beside the first admin, with the same password. */
async function addBob(database: Database): Promise<string> {
  const { rows } = await database.query(
    `insert into account (email, name, role, password_hash)
     select $1, 'bob', 'analyst', password_hash from account returning id`,
    [BOB.email],
  )
  return idOf(rows)
}

/** Browsers that the account has signed in from: none is slowed by the others. */
async function openKnownBrowsers(database: Database, { createBrowser }: TestBff, count: number) {
  const browsers = Array.from({ length: count }, () => createBrowser())
  const places = browsers.map(({ cookies }) => {
    const device = createToken()
    cookies.set('lantern_device', device)
    return `device ${hashToken(device).toString('hex')}`
  })
  await rememberPlaces(database, await findAdminId(database), places)
  return browsers
}

/** Two processes on one database: sign-ins wait in the first before their sessions begin; an admin is in the second. */
async function openHeld() {
  const { held, unhindered, ...hold } = await holdSignIns()
  const [waiting, other] = [await createTestBff(held), await createTestBff(unhindered)]
  await other.signIn()
  const bobId = await addBob(unhindered)
  const changeBob = (body: unknown) => other.ask(`/bff/users/${bobId}`, { method: 'PUT', body })
  async function untilHeld(count: number): Promise<void> {
    await expect.poll(hold.countStored, POLLED).toBe(count)
  }
  return { ...hold, held, database: unhindered, waiting, other, bobId, changeBob, untilHeld }
}

test('refuses a sign-in whose password is changed before its session begins', LIMITS, async () => {
  const { held, database, waiting, other, untilHeld, release } = await openHeld()
  const browsers = await openKnownBrowsers(held, waiting, HELD)
  const signIns = browsers.map(({ signIn }) => signIn())
  await untilHeld(HELD)

  const body = { current: ADMIN.password, password: NEW_PASSWORD }
  expect((await other.ask(CHANGE_PATH, { method: 'PUT', body })).status).toBe(204)
  release()

  const statuses = (await Promise.all(signIns)).map(({ status }) => status)
  expect(statuses).toEqual(Array(HELD).fill(401))
  expect((await database.query('select from session')).rowCount).toBe(1)
  expect(await other.readSession()).not.toBeNull()
})

test(`of ${RACERS} sign-ins that race a change of the password none stays in`, LIMITS, async () => {
  const database = await takeDatabase('bff')
  const bff = await createTestBff(database)
  await bff.signIn()
  const browsers = await openKnownBrowsers(database, bff, RACERS)
  const { key: bucket } = passwordBucket(await findAdminId(database))
  const body = { current: ADMIN.password, password: NEW_PASSWORD }
  const changed = bff.ask(CHANGE_PATH, { method: 'PUT', body })
  // The old password is known to be right, and the hash of the new one is still being made.
  const isProved = `select from sign_in_attempt where bucket = $1 and failures = 0`
  await expect
    .poll(async () => (await database.query(isProved, [bucket])).rowCount, { ...POLLED, interval: 1 })
    .toBe(1)
  await Promise.all(browsers.map(({ signIn }) => signIn()))
  expect((await changed).status).toBe(204)
  const sessions = await Promise.all(browsers.map(({ readSession }) => readSession()))
  expect(sessions.filter((session) => session !== null).length).toBe(0)
})

test('a sign-in to an account disabled meanwhile gets the answer to a wrong password', LIMITS, async () => {
  const { database, waiting, changeBob, untilHeld, release } = await openHeld()
  const wrong = await readProblem(await waiting.createBrowser().signIn({ ...BOB, password: 'wrong' }))
  const bob = waiting.createBrowser()
  const signIn = bob.signIn(BOB)
  await untilHeld(1)
  expect((await changeBob({ isDisabled: true })).status).toBe(200)
  release()

  const { requestId, ...problem } = await readProblem(await signIn)
  expect(problem).toEqual({ ...wrong, requestId: undefined })
  await changeBob({ isDisabled: false })
  expect(await bob.readSession()).toBeNull()
  expect((await database.query('select from session')).rowCount).toBe(1)
})

test.for([
  ['is disabled while it signs in', true],
  ['was disabled and is enabled again', false],
] as const)('a sign-in link is void where its account %s', LIMITS, async ([, isHeld]) => {
  const { database, waiting, changeBob, untilHeld, release } = await openHeld()
  // The link is for the oldest admin, which Bob is here: Ada is left to disable him.
  await database.query(
    `update account set role = 'admin', created_at = now() - interval '1 day' where name = 'bob'`,
  )
  const link = new URL((await createSignInLink(database, 'http://localhost:4173')) ?? '')
  const redeem = () => waiting.ask('/bff/sign-in/link', { body: { token: link.hash.replace('#link=', '') } })
  const early = isHeld ? redeem() : null
  if (early) await untilHeld(1)
  expect((await changeBob({ isDisabled: true })).status).toBe(200)
  if (!early) await changeBob({ isDisabled: false })
  release()

  expect((await readProblem(await (early ?? redeem()))).code).toBe('sign_in_failed')
  await changeBob({ isDisabled: false })
  expect(await waiting.readSession()).toBeNull()
  expect((await redeem()).status).toBe(401)
})

test('a link used while a second factor is set up changes nothing, and stays valid', LIMITS, async () => {
  const { database, waiting, other, bobId, untilHeld, release } = await openHeld()
  await database.query(`
    create trigger held_before before delete on session for each statement
      when (current_setting('application_name') <> 'unhindered') execute function wait_for_release()`)
  const made = await other.ask(`/bff/users/${bobId}/link`, { method: 'POST' })
  const { link } = userWithLinkSchema.parse(await made.json())
  const token = new URL(link.url).hash.replace('#password=', '')
  const body = { token, password: 'a staple of several words' }
  const setting = waiting.ask('/bff/sign-in/password-link', { body })
  await untilHeld(1)
  const bob = other.createBrowser()
  await bob.signIn(BOB)
  await enrolTotp(bob)
  release()

  expect((await setting).status).toBe(409)
  expect(await bob.readSession()).not.toBeNull()
  const again = await other.createBrowser().ask('/bff/sign-in/password-link', { body })
  expect(await again.json()).toMatchObject({ step: { kind: 'factor' } })
  const { rows } = await database.query(
    `select object from audit_event where action = 'password-set-by-link'`,
  )
  expect(rows).toEqual([{ object: bobId }])
})

test(
  'only one of two simultaneous password changes succeeds, and ends the other session',
  LIMITS,
  async () => {
    const database = await takeDatabase('bff')
    const { ask, signIn, createBrowser } = await createTestBff(database)
    const other = createBrowser()
    await Promise.all([signIn(), other.signIn()])
    const change = (asker: Pick<TestBff, 'ask'>, password: string) =>
      asker.ask(CHANGE_PATH, { method: 'PUT', body: { current: ADMIN.password, password } })

    const locker = await database.pool.connect()
    await locker.query('begin; select from account for update')
    const changes = [change({ ask }, NEW_PASSWORD), change(other, 'a staple of several words')]
    await expect.poll(() => countWaiting(database), POLLED).toBe(2)
    await locker.query('commit')
    locker.release()

    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 401])
    expect((await database.query('select from session')).rowCount).toBe(1)
  },
)

test(
  'a sign-out everywhere during a password change wins, and the old password remains',
  LIMITS,
  async () => {
    const database = await takeDatabase('bff')
    const { ask, signIn, readSession, createBrowser, wait } = await createTestBff(database)
    await signIn()
    const locker = await database.pool.connect()
    await locker.query('begin; select from account for update')
    const body = { current: ADMIN.password, password: NEW_PASSWORD }
    const change = ask(CHANGE_PATH, { method: 'PUT', body })
    await expect.poll(() => countWaiting(database), POLLED).toBe(1)
    await locker.query('delete from session; commit')
    locker.release()

    expect((await change).status).toBe(401)
    wait(REMEMBERED_MS)
    expect(await readSession()).toBeNull()
    expect((await createBrowser().signIn()).status).toBe(200)
  },
)
