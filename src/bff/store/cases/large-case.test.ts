import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { readCaseOf } from './case-queries.ts'
import { placeChangedClaims } from './place-claims.ts'

const CLAIMS_COUNT = 5_000
/** Most cases have one claim: the planner expects as few of the large one. */
const OTHERS_COUNT = 50_000
const NOW = '2026-06-01T00:00:00.000Z'
const FIRST = Date.parse('2026-03-01')

const idOf = (at: number) => `claim-${String(at).padStart(5, '0')}`
const claimAt = (at: number) =>
  makeThreat(idOf(at), new Date(FIRST + at * (HOUR_MS / 10)).toISOString(), {
    title: 'Okapilane Freight',
    domains: ['okapilane.example'],
    actors: [`group ${at % 7}`],
  })

/** Makes one case of many claims, each with the keys and links that it would have been given. */
async function openLargeCase(database: Database): Promise<void> {
  const threats = Array.from({ length: CLAIMS_COUNT }, (_, at) => claimAt(at))
  await storeThreats(database, placeThreats(threats, NOW))
  await placeChangedClaims(database)
  await database.query(`
    with begun as (insert into victim_case default values returning id)
    insert into case_claim (threat_id, case_id, own_id, is_compared)
    select threat.id, begun.id, begun.id, true from begun, window_threat threat;
    insert into case_claim (threat_id, case_id, own_id, is_compared)
    select 'other ' || n, 1000 + n, 1000 + n, true from generate_series(1, ${OTHERS_COUNT}) n;
    insert into window_case_key (key, threat_id, at)
    select key, id, sorted_at from window_threat, unnest(array['domain:okapilane.example', 'name:okapilanefreight']) as key;
    insert into window_case_link (one_id, other_id, certainty, rule, words)
    select one.id, other.id, 'certain', 'domain', 'okapilane.example'
      from (select id, row_number() over (order by id) as at from window_threat) one
      join (select id, row_number() over (order by id) as at from window_threat) other
        on other.at between one.at + 1 and one.at + 10;`)
  for (const table of ['window_threat', 'case_claim', 'window_case_link', 'window_case_key'])
    await database.query(`vacuum analyze ${table}`)
}

const planSchema = z.object({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  get Plans() {
    return z.optional(z.array(planSchema))
  },
})
const explainSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.looseObject({ Plan: planSchema })]) })])

/** Rows that the scans of a plan bring. */
function rowsOf(node: z.infer<typeof planSchema>): number {
  return node.Plans
    ? node.Plans.reduce((sum, plan) => sum + rowsOf(plan), 0)
    : node['Actual Rows'] * node['Actual Loops']
}

/** Counts the rows that each statement scans which only reads. */
function countRows(database: Database, counts: number[] = []) {
  const counting: Database = {
    async query(text, values) {
      if (/^\s*(?:select|with)\b/.test(text) && !/\binsert\b/.test(text)) {
        const { rows } = await database.query(`explain (analyze, format json) ${text}`, values)
        const [{ 'QUERY PLAN': plans }] = explainSchema.parse(rows)
        counts.push(rowsOf(plans[0].Plan))
      }
      return database.query(text, values)
    },
    transaction: (run) => database.transaction((tx) => run(countRows(tx, counts).database)),
  }
  return { database: counting, counts }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

test(
  'places a new claim of a victim with many claims without reading all of them',
  withDatabase('bff', async (database) => {
    await openLargeCase(database)
    const threat = claimAt(CLAIMS_COUNT)
    await storeThreats(database, placeThreats([threat], NOW))
    const counted = countRows(database)
    await placeChangedClaims(counted.database)
    expect(await readCaseOf(database, threat.id)).toMatchObject({
      claimCount: CLAIMS_COUNT + 1,
      actorCount: 7,
    })
    expect(sumOf(counted.counts)).toBeLessThan(CLAIMS_COUNT / 10)
  }),
)

test(
  'of a case with many claims, only the shown ones are read with their reasons and offers',
  withDatabase('bff', async (database) => {
    await openLargeCase(database)
    const counted = countRows(database)
    const found = await readCaseOf(counted.database, idOf(3))
    expect(found?.claims).toHaveLength(100)
    expect(found?.claims.every(({ reason }) => reason !== null)).toBe(true)
    // All links of all claims, and from there all claims, would be many times as many.
    expect(sumOf(counted.counts)).toBeLessThan(CLAIMS_COUNT * 10)
  }),
)
