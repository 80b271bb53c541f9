import { systemClock } from '#bff/time/clock.ts'
import { nextRevision, placeThreats, storeThreats } from '#bff/window/store/store-threats.ts'
import { writeSyncState } from '#bff/window/sync/sync-state.ts'
import { createWindow, type Window } from '#bff/window/window.ts'
import { type ThreatFilter, threatListQuerySchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { Random } from '#test/support/random.ts'
import { makeSyncState } from '#test/support/window/make-sync-state.ts'
import { withBenchDatabase } from './bench-database.ts'
import { usedBytes } from './used-bytes.ts'
import { answerBySql } from './window-peer.ts'
import {
  ACTORS,
  CATEGORIES,
  COUNTRIES,
  frequent,
  INDUSTRIES,
  makeThreats,
  SEVERITIES,
  WORDS,
} from './window-records.ts'

const ROWS = 100_000
const BATCH = 2_000
const QUESTIONS = 300
const SOURCE = 'a source'
const VALUES = {
  category: CATEGORIES,
  country: COUNTRIES,
  actor: ACTORS,
  industry: INDUSTRIES,
  severity: SEVERITIES,
}
const NAMES = ['category', 'country', 'actor', 'industry', 'severity'] as const

/** The feed's answer over a window of 100,000 records against the same answer by SQL alone, query by query. */
export async function measureWindowQueries(): Promise<void> {
  console.log(`\nFeed answers from a window of ${ROWS.toLocaleString('en')} records, ms`)
  await withBenchDatabase('bff', async (database) => {
    const random = new Random(11)
    await fillWindow(database, random)
    const window = createWindow({ database, clock: systemClock, source: () => SOURCE })
    const before = usedBytes()
    const startedMs = performance.now()
    await window.state()
    const loadMs = performance.now() - startedMs
    console.log(
      `  loaded in ${Math.round(loadMs)} ms, ${Math.round((usedBytes() - before) / 1e6)} MB (target 60 or less)`,
    )

    const narrow = Array.from({ length: QUESTIONS }, () => threeFiltersAndText(random))
    const broad = Array.from({ length: QUESTIONS }, (_, at) => atMostOneFilter(at, random))
    await compare({ window, database, title: 'three filters and a word', targetMs: 15 }, narrow)
    await compare({ window, database, title: 'one filter or none', targetMs: 50 }, broad)
  })
}

async function fillWindow(database: Database, random: Random): Promise<void> {
  const nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  const threats = makeThreats(ROWS, random, nowMs)
  for (let at = 0; at < ROWS; at += BATCH) {
    await storeThreats(database, placeThreats(threats.slice(at, at + BATCH), now))
  }
  const storedFrom = threats.at(-1)?.publishedAt ?? now
  const revision = await nextRevision(database)
  await writeSyncState(database, makeSyncState(now, { source: SOURCE, storedFrom, revision }))
  await database.query('vacuum analyze window_threat')
}

function threeFiltersAndText(random: Random): ThreatFilter {
  const names = NAMES.map((name) => ({ name, at: random.next() })).toSorted((a, b) => a.at - b.at)
  const filters = names.slice(0, 3).map(({ name }) => [name, valuesOf(name, random)])
  return { ...Object.fromEntries(filters), q: frequent(WORDS, random) }
}

function atMostOneFilter(at: number, random: Random): ThreatFilter {
  if (at % 3 === 0) return {}
  const name = random.pick(NAMES)
  return at % 3 === 1 ? { [name]: valuesOf(name, random) } : { q: frequent(WORDS, random) }
}

function valuesOf(name: (typeof NAMES)[number], random: Random): string[] {
  const values: readonly string[] = VALUES[name]
  return [...new Set([frequent(values, random), ...(random.chance(0.5) ? [frequent(values, random)] : [])])]
}

type Comparison = { window: Window; database: Database; title: string; targetMs: number }

async function compare({ window, database, title, targetMs }: Comparison, filters: readonly ThreatFilter[]) {
  const own: number[] = []
  const sql: number[] = []
  for (const filter of filters) {
    const query = threatListQuerySchema.parse(filter)
    const answer = await timed(own, () => window.list(query, { start: null, end: null }, null))
    const total = await timed(sql, () => answerBySql(database, filter))
    if (answer?.answer.total !== total)
      throw new Error(`${JSON.stringify(filter)}: ${answer?.answer.total} here, ${total} by SQL`)
  }
  const [p50, p95] = [percentile(own, 0.5), percentile(own, 0.95)]
  console.log(`  ${title} (${filters.length} queries, page, total and facets)`)
  console.log(`    lantern   p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}`)
  console.log(`    sql       p50 ${percentile(sql, 0.5).toFixed(1)}  p95 ${percentile(sql, 0.95).toFixed(1)}`)
  console.log(`    ${p95 <= targetMs ? 'met' : 'MISSED'}: target p95 ${targetMs} or less`)
}

async function timed<T>(times: number[], run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await run()
  times.push(performance.now() - startedMs)
  return result
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}
