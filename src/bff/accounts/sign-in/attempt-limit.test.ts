import { expect, test } from 'vitest'
import { problemSchema } from '#contract/bff/problem.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { holdWaits } from '#test/support/hold-waits.ts'
import { lengthenWaits } from '#test/support/lengthen-waits.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'
import { accountBucket, addressBucket, reserveAttempt } from './attempt-limit.ts'

const OWNER_ADDRESS = '192.0.2.1'
const STRANGER_ADDRESS = '203.0.113.9'
const WRONG = { ...ADMIN, password: 'wrong' }

type Browser = { signIn(credentials?: typeof ADMIN): Promise<Response> }

/** Sign-ins on a database where whoever must wait waits for the rest of the test. */
async function openLimited(database: Database) {
  await holdWaits(database)
  return createTestBff(database)
}

async function failOften(database: Database, { signIn }: Browser, credentials = WRONG): Promise<number[]> {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await lengthenWaits(database)
    statuses.push((await signIn(credentials)).status)
  }
  return statuses
}

test(
  'after five failures the next attempt has to wait, even with the right password',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    const stranger = createBrowser(STRANGER_ADDRESS)

    expect(await failOften(database, stranger)).toEqual([401, 401, 401, 401, 401, 429, 429])

    const response = await stranger.signIn()
    const problem = problemSchema.parse(await response.json())
    expect(problem).toMatchObject({ status: 429, code: 'too_many_attempts' })
    expect(Date.parse(problem.retryAt ?? '')).toBeGreaterThan(Date.now() - 1000)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }),
)

test(
  'each failure lengthens the wait: to 15 minutes for an address, 1 minute for an account',
  withDatabase('bff', async (database) => {
    const waits: unknown[] = []
    for (let attempt = 0; attempt < 16; attempt += 1) {
      await database.query('update sign_in_attempt set blocked_until = now()')
      await reserveAttempt(database, [accountBucket(ADMIN.email), addressBucket(STRANGER_ADDRESS)])
      const { rows } = await database.query(
        `select extract(epoch from blocked_until - changed_at)::int as seconds from sign_in_attempt order by seconds`,
      )
      waits.push(rows)
    }

    const both = (seconds: number) => [{ seconds }, { seconds }]
    expect(waits.slice(3, 8)).toEqual([0, 1, 2, 4, 8].map(both))
    expect(waits.at(-1)).toEqual([{ seconds: 60 }, { seconds: 900 }])
  }),
)

test(
  'an attempt that waited for a later one does not count as too early',
  withDatabase('bff', async (database) => {
    const buckets = [addressBucket(STRANGER_ADDRESS)]
    await database.transaction(async (earlier) => {
      await earlier.query('select now()')
      await reserveAttempt(database, buckets)
      await reserveAttempt(earlier, buckets)
    })

    const { rows } = await database.query('select failures from sign_in_attempt')
    expect(rows).toEqual([{ failures: 2 }])
  }),
)

test(
  'a failure elsewhere does not slow a browser that has signed in before, nor one at its address',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    const owner = createBrowser(OWNER_ADDRESS)
    await owner.signIn()
    await failOften(database, createBrowser(STRANGER_ADDRESS))

    const travelling = createBrowser('198.51.100.7')
    travelling.cookies.set('lantern_device', owner.cookies.get('lantern_device') ?? '')
    expect((await travelling.signIn()).status).toBe(200)
    expect((await createBrowser(OWNER_ADDRESS).signIn()).status).toBe(200)
    expect((await createBrowser('198.51.100.8').signIn()).status).toBe(429)
  }),
)

test(
  'a known device is limited by its own failures',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    const owner = createBrowser(OWNER_ADDRESS)
    await owner.signIn()

    expect(await failOften(database, owner)).toEqual([401, 401, 401, 401, 401, 429, 429])
  }),
)

test(
  'a stranger at a known address cannot find out whether an account exists',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    await createBrowser(OWNER_ADDRESS).signIn()
    const unknown = { ...WRONG, email: 'nobody@example.com' }
    const stranger = createBrowser(OWNER_ADDRESS)

    const answers: number[][] = []
    for (const credentials of [WRONG, unknown]) {
      await database.query('delete from sign_in_attempt')
      answers.push(await failOften(database, stranger, credentials))
      // Both accounts share the attempts.
      for (const other of [WRONG, unknown]) answers.at(-1)?.push((await stranger.signIn(other)).status)
    }
    expect(answers).toEqual(Array(2).fill([401, 401, 401, 401, 401, 429, 429, 429, 429]))
  }),
)

test(
  'a device known to one account is a stranger to another',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'bob@example.com', 'bob', 'viewer', password_hash from account`,
    )
    const bob = createBrowser(STRANGER_ADDRESS)
    await bob.signIn({ ...ADMIN, email: 'bob@example.com' })
    await failOften(database, createBrowser('198.51.100.7'))

    const elsewhere = { body: ADMIN, peerAddress: '198.51.100.8' }
    expect((await bob.ask('/bff/sign-in', elsewhere)).status).toBe(429)
  }),
)

test(
  'an address that tries many accounts is slowed for all of them',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    const stranger = createBrowser(STRANGER_ADDRESS)
    const statuses: number[] = []
    for (let index = 0; index < 6; index += 1) {
      statuses.push((await stranger.signIn({ email: `user${index}@example.com`, password: 'x' })).status)
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await createBrowser(OWNER_ADDRESS).signIn()).status).toBe(200)
  }),
)

test(
  'parallel guesses cannot outrun the count',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => createBrowser(STRANGER_ADDRESS).signIn(WRONG)),
    )

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  }),
)

test(
  'a success resets the failures of the account, but not of the address',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    for (let attempt = 0; attempt < 4; attempt += 1) await createBrowser(STRANGER_ADDRESS).signIn(WRONG)
    await createBrowser(STRANGER_ADDRESS).signIn()

    const { rows } = await database.query('select failures from sign_in_attempt order by failures')
    expect(rows).toEqual([{ failures: 0 }, { failures: 4 }])
  }),
)

test(
  'a stranger with two addresses cannot find out whether an account exists',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await openLimited(database)
    await createBrowser(OWNER_ADDRESS).signIn()

    const answers: number[][] = []
    for (const credentials of [WRONG, { ...WRONG, email: 'nobody@example.com' }]) {
      await database.query('delete from sign_in_attempt')
      await failOften(database, createBrowser(STRANGER_ADDRESS), credentials)
      answers.push(await failOften(database, createBrowser(OWNER_ADDRESS), credentials))
    }
    expect(answers).toEqual(Array(2).fill([401, 401, 401, 401, 401, 429, 429]))
  }),
)

test.each([
  [
    'strangers at one address share a wait for one account',
    { isSameAddress: true, isSameAccount: true },
    429,
  ],
  [
    'strangers at one address share a wait, whichever the account',
    { isSameAddress: true, isSameAccount: false },
    429,
  ],
  [
    'strangers at two addresses share a wait for one account',
    { isSameAddress: false, isSameAccount: true },
    429,
  ],
  [
    'strangers at two addresses share no wait for two accounts',
    { isSameAddress: false, isSameAccount: false },
    401,
  ],
])('%s', { timeout: 60_000 }, async (_, { isSameAddress, isSameAccount }, status) => {
  const database = await takeDatabase('bff')
  const { createBrowser } = await openLimited(database)
  await failOften(database, createBrowser(STRANGER_ADDRESS))

  const other = createBrowser(isSameAddress ? STRANGER_ADDRESS : '198.51.100.8')
  const email = isSameAccount ? ADMIN.email : 'nobody@example.com'
  expect((await other.signIn({ ...WRONG, email })).status).toBe(status)
})

test.each([
  ['a known device elsewhere is not slowed by strangers at the address that it knows', 'device', 200],
  ['a stranger at a known address waits for what strangers there have failed', 'address', 429],
  ['a stranger elsewhere does not wait for what was failed at a known address', 'neither', 401],
] as const)('%s', { timeout: 60_000 }, async (_, known, status) => {
  const database = await takeDatabase('bff')
  const { createBrowser } = await openLimited(database)
  const owner = createBrowser(OWNER_ADDRESS)
  await owner.signIn()
  await failOften(database, createBrowser(OWNER_ADDRESS))

  const other = createBrowser(known === 'address' ? OWNER_ADDRESS : STRANGER_ADDRESS)
  if (known === 'device') other.cookies.set('lantern_device', owner.cookies.get('lantern_device') ?? '')
  expect((await other.signIn(known === 'neither' ? WRONG : ADMIN)).status).toBe(status)
})

test('failures on a known device limit neither other known devices nor its address', {
  timeout: 60_000,
}, async () => {
  const database = await takeDatabase('bff')
  const { createBrowser } = await openLimited(database)
  const [one, other] = [createBrowser(OWNER_ADDRESS), createBrowser(OWNER_ADDRESS)]
  await one.signIn()
  await other.signIn()
  await failOften(database, one)

  expect((await one.signIn()).status).toBe(429)
  expect((await other.signIn()).status).toBe(200)
  expect((await createBrowser(OWNER_ADDRESS).signIn()).status).toBe(200)
})
