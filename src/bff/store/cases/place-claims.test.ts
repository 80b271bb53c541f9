import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { Random } from '#test/support/random.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'
import { createClaimPlacing, nextCount, placeAllClaims } from './place-claims.ts'

const NOW = '2026-06-01T00:00:00.000Z'
const GERMANY = { code: 'DE', name: 'Germany' }
const FRANCE = { code: 'FR', name: 'France' }

/** Random claims, oldest first. More of them have a word in common than are compared with each other. */
function makeClaims(count: number): Threat[] {
  const random = new Random(20_261_129)
  const names = ['Okapilane', 'Okapilane', 'Okapilane', 'Zebrafield']
  return Array.from({ length: count }, (_, at) => {
    const name = `${random.pick(names)} ${random.pick(['Freight', 'Freight', 'Foods'])}`
    const site = `${name.toLowerCase().replace(' ', '')}.example`
    return makeThreat(`claim-${at}`, new Date(Date.parse('2026-01-01') + at * DAY_MS * 0.2).toISOString(), {
      title: random.chance(0.2) ? site : name,
      organizations: random.chance(0.5) ? [name] : [],
      domains: random.chance(0.3) ? [site] : [],
      countries: [random.pick([GERMANY, FRANCE])],
      actors: [random.pick(['redfox', 'bluejay', 'greyowl'])],
    })
  })
}

async function store(database: Database, threats: readonly Threat[]): Promise<void> {
  await storeThreats(database, placeThreats(threats, NOW))
}

/** The links of claims, and the claims of each case. */
async function readResult(database: Database) {
  const { rows: links } = await database.query(
    'select one_id, other_id, certainty, rule, words from window_case_link order by one_id, other_id',
  )
  const { rows: cases } = await database.query(
    `select string_agg(threat_id, ' ' order by threat_id) as claims from case_claim group by case_id order by claims`,
  )
  return { links, cases }
}

test('claims that are placed together have the same links and cases as those placed one by one', async () => {
  const threats = makeClaims(140)
  const [together, single, resumed] = [
    await takeDatabase('bff'),
    await takeDatabase('bff'),
    await takeDatabase('bff'),
  ]
  await store(together, threats)
  await placeAllClaims(together)
  for (const threat of threats) {
    await store(single, [threat])
    await placeAllClaims(single)
  }
  await store(resumed, threats.slice(0, 90))
  await placeAllClaims(resumed)
  await store(resumed, threats.slice(90))
  await placeAllClaims(resumed)

  const expected = await readResult(single)
  expect(expected.links.length).toBeGreaterThan(100)
  expect(expected.cases.length).toBeGreaterThan(1)
  expect(await readResult(together)).toEqual(expected)
  expect(await readResult(resumed)).toEqual(expected)
})

test(
  'a record that is deleted takes its keys and links with it',
  withDatabase('bff', async (database) => {
    await store(database, makeClaims(60))
    await placeAllClaims(database)
    await database.query(`delete from window_threat where id <> 'claim-1'`)
    const { rows } = await database.query('select distinct threat_id as id from window_case_key')
    expect(rows).toEqual([{ id: 'claim-1' }])
    expect((await readResult(database)).links).toEqual([])
  }),
)

test(
  'a process that leads again places the claims that it left when it lost the lead',
  withDatabase('bff', async (database) => {
    await store(database, makeClaims(20))
    const placing = createClaimPlacing({ database, log: createLog(() => {}) })
    const lead = async (until: Promise<unknown>) => {
      const stopping = new AbortController()
      const running = placing.run(stopping.signal)
      await until
      stopping.abort()
      await running
    }
    const countPlaced = async () =>
      (await database.query('select from case_claim where is_compared')).rowCount

    await lead(Promise.resolve())
    expect(await countPlaced()).toBe(0)
    await lead(expect.poll(countPlaced).toBe(20))
  }),
)

test.each([
  { when: 'a transaction is slow', count: 500, heldMs: 400, next: 125 },
  { when: 'a transaction is very slow', count: 500, heldMs: 5_000, next: 125 },
  { when: 'all are slow', count: 20, heldMs: 400, next: 20 },
  { when: 'a transaction is quick', count: 100, heldMs: 20, next: 200 },
  { when: 'all are quick', count: 500, heldMs: 20, next: 500 },
])('places $next claims at once after $count where $when', ({ count, heldMs, next }) => {
  expect(nextCount(count, heldMs)).toBe(next)
})
