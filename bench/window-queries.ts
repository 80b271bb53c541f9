import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { OverviewMemos, readOverview } from '#bff/pages/overview/read-overview.ts'
import { UNBOUNDED } from '#bff/store/index/select-rows.ts'
import { nextRevision, placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { readSyncState, writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore, type ThreatStore } from '#bff/store/threat-store.ts'
import { systemClock } from '#bff/time/clock.ts'
import { type ListOrder, ROW_KINDS } from '#contract/bff/arrangement.ts'
import { groupQuerySchema, type ThreatFilter, threatListQuerySchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { Random } from '#test/support/random.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { usedBytes } from '../test/support/used-bytes.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'
import { percentile } from './percentile.ts'
import { answerBySql, countGroupsBySql, indexForSql } from './window-peer.ts'
import {
  ACTORS,
  CATEGORIES,
  COUNTRIES,
  frequent,
  INDUSTRIES,
  makeBatches,
  makeThreats,
  ORGANIZATIONS,
  SEVERITIES,
  WORDS,
} from './window-records.ts'

const BATCH = 2_000
const CHANGED_COUNT = 50
/** Figures have their own goals at so many records; beyond them, all have these, or none. */
const GOAL_ROWS = 100_000
const LARGE = { rows: 300_000, p95Ms: 50, loadMs: 6_000, megabytes: 250 }
const QUESTIONS = { plain: 300, searched: 200, ordered: 100 }
/** SQL takes seconds for a question over more records: it answers the first ones only. */
const SQL_QUESTIONS_BEYOND = 20
const SOURCE = 'a source'
const VALUES = {
  category: CATEGORIES,
  country: COUNTRIES,
  actor: ACTORS,
  industry: INDUSTRIES,
  severity: SEVERITIES,
}
const NAMES = ['category', 'country', 'actor', 'industry', 'severity'] as const

/** The feed's answer over a window of so many records against the same answer by SQL alone, query by query. */
export async function measureIndexQueries(count: number): Promise<void> {
  console.log(`\nFeed answers from a window of ${count.toLocaleString('en')} records, ms`)
  const sqlCount = count > GOAL_ROWS ? SQL_QUESTIONS_BEYOND : Number.POSITIVE_INFINITY
  const goalOf: GoalOf = (own, large = null) =>
    count <= GOAL_ROWS ? own : count <= LARGE.rows ? large : null
  await withBenchDatabase('bff', async (database) => {
    const random = new Random(11)
    await fillStore(database, random, count)
    const store = createThreatStore({ limits: USUAL_HISTORY, database, clock: systemClock, source: SOURCE })
    const before = usedBytes()
    const startedMs = performance.now()
    await store.state()
    const loadMs = performance.now() - startedMs
    const rss = Math.round(process.memoryUsage().rss / 1e6)
    console.log(
      `  loaded in ${Math.round(loadMs)} ms${told(goalOf(null, LARGE.loadMs))}, ${Math.round((usedBytes() - before) / 1e6)} MB${told(goalOf(60, LARGE.megabytes))}, ${rss} MB resident`,
    )
    const narrow = Array.from({ length: QUESTIONS.plain }, () => threeFiltersAndText(random))
    const broad = Array.from({ length: QUESTIONS.plain }, (_, at) => atMostOneFilter(at, random))
    const compared = { store, database, goalOf, sqlCount }
    await compare({ ...compared, title: 'three filters and a word', targetMs: 15 }, narrow)
    await compare({ ...compared, title: 'one filter or none', targetMs: 50 }, broad)
    const searches = Array.from({ length: QUESTIONS.searched }, (_, at) => ({ q: search(at, random) }))
    await compare({ ...compared, title: 'query language', targetMs: 15 }, searches)
    await measureOrders(compared, random)
    await measureCases(compared, random, count)
    await measureFigures(compared)
    await measureChange(compared, random)
  })
}

/** The goal of a figure, beside the one of many records; null where it has none. */
type GoalOf = (own: number | null, large?: number | null) => number | null

function told(target: number | null): string {
  return target === null ? '' : ` (target ${target} or less)`
}

const COMPARED_SORTS = ['severity', 'actor', 'victim'] as const
const COMPARED_GROUPS = ['day', 'actor', 'victim', 'category', 'severity'] as const

/** Lists that are sorted and grouped. Ranks are made for the first that asks: that one is told apart. */
async function measureOrders(compared: Compared, random: Random): Promise<void> {
  const { store, database, goalOf, sqlCount } = compared
  const holdMs = await longestHold(async () => {
    for (const sort of COMPARED_SORTS) {
      const ownMs: number[] = []
      await timed(ownMs, () => store.list(threatListQuerySchema.parse({ sort }), UNBOUNDED, null))
      console.log(`  first list by ${sort}: ${Math.round(ownMs[0] ?? 0)} ms, ranks made`)
    }
  })
  console.log(`    longest hold of the event loop meanwhile ${holdMs} ms${told(goalOf(50))}`)

  const sorted = Array.from({ length: QUESTIONS.ordered }, (_, at) => ({
    ...atMostOneFilter(at, random),
    sort: random.pick(COMPARED_SORTS),
    order: random.pick(['asc', 'desc'] as const),
  }))
  await compare({ ...compared, title: 'sorted, one filter or none', targetMs: 20 }, sorted)
  const grouped = sorted.map((query) => ({ ...query, group: random.pick(COMPARED_GROUPS) }))
  await compare({ ...compared, title: 'grouped and sorted, one filter or none', targetMs: 30 }, grouped)
  const groups = sorted.map(({ sort, order, ...filter }, at) => ({
    filter,
    name: COMPARED_GROUPS[at % COMPARED_GROUPS.length] ?? 'day',
  }))
  const own: number[] = []
  const sql: number[] = []
  for (const [at, { filter, name }] of groups.entries()) {
    const query = groupQuerySchema.parse(filter)
    const answer = await timed(own, () => store.groups(name, query, UNBOUNDED))
    if (at >= sqlCount) continue
    const counts = await timed(sql, () => countGroupsBySql(database, name, filter, Date.now()))
    const here = answer.answer.groups?.map(({ count }) => count) ?? []
    if (String(here) !== String(counts)) throw new Error(`${JSON.stringify([name, filter])}: other groups`)
  }
  report({ title: 'groups with their counts, the first 500', targetMs: 30, goalOf }, { own, sql })
}

/** Share of stored claims whose case has others, as in the demo data set. */
const REPEATED_SHARE = 0.34
const CLAIMS_OF_CASE = 3

/** Orders and filters of lists of cases, beside at most one of `atMostOneFilter`. */
const CASE_QUESTIONS = [
  {},
  { sort: 'severity' },
  { group: 'actor' },
  { group: 'day', groupOrder: 'size' },
  { sort: 'due' },
  { triage: 'overdue', sort: 'due' },
  { triage: 'open' },
  { triage: 'unread', group: 'severity' },
  { triage: 'closed' },
  { q: 'is:overdue -is:starred' },
] as const

/**
 * Lists with a row for each case, after each kind of order and filter; first what reading the cases costs. The team has
 * read a third of the claims and closed a quarter, and two thirds became known while Lantern ran.
 */
async function measureCases({ store, database, goalOf }: Compared, random: Random, count: number) {
  const repeated = Math.floor((count * REPEATED_SHARE) / CLAIMS_OF_CASE)
  await database.query('insert into victim_case select from generate_series(1, $1)', [count])
  await database.query(
    `insert into case_claim (threat_id, case_id, own_id, is_compared, known_at, known_levels)
     select id, case when at <= $1 * ${CLAIMS_OF_CASE} then at % $1 + 1 else at end, at, true,
            case when at % 3 > 0 then sorted_at end, 1 << (at % 4)::int
       from (select id, sorted_at, row_number() over (order by md5(id)) as at from window_threat) numbered`,
    [repeated],
  )
  await database.query(
    `insert into triage_state (threat_id, read_at, read_by, dismissed_at, dismissed_by, dismissed_reason)
     select threat_id, now(), 'ada', case when own_id % 4 = 0 then now() end, case when own_id % 4 = 0 then 'ada' end,
            case when own_id % 4 = 0 then 'handled' end
       from case_claim where own_id % 3 = 0 or own_id % 4 = 0`,
  )
  await database.query('vacuum analyze case_claim, triage_state')
  const holdMs = await longestHold(async () => {
    const readMs: number[] = []
    store.forget()
    await timed(readMs, () => store.state())
    console.log(`  cases of ${count.toLocaleString('en')} claims read in ${Math.round(readMs[0] ?? 0)} ms`)
  })
  console.log(`    longest hold of the event loop meanwhile ${holdMs} ms${told(goalOf(50))}`)
  for (const question of CASE_QUESTIONS) {
    const firstMs: number[] = []
    const ask = (times: number[], at: number) => {
      const query = threatListQuerySchema.parse({
        ...atMostOneFilter(at, random),
        ...question,
        rows: 'cases',
      })
      return timed(times, () => store.list(query, UNBOUNDED, null))
    }
    const holdMs = await longestHold(async () => {
      await ask(firstMs, 0)
    })
    const own: number[] = []
    for (let at = 0; at < QUESTIONS.ordered; at++) await ask(own, at)
    report(
      { title: `cases ${JSON.stringify(question)}: page, totals and facets`, targetMs: 50, goalOf },
      { own },
    )
    console.log(`    first ${Math.round(firstMs[0] ?? 0)} ms, longest hold of the event loop ${holdMs} ms`)
  }
}

const FIGURES = { period: '30d', timeZone: 'Europe/Berlin', lastLeft: null }

/** All of the overview without its memory of the minute, in claims and in cases. */
async function measureFigures({ store, database, goalOf }: Compared): Promise<void> {
  const dependencies = { store, database, clock: systemClock }
  for (const rows of ROW_KINDS) {
    const own: number[] = []
    for (let at = 0; at < QUESTIONS.ordered; at++) {
      const reader = { ...FIGURES, rows, accountId: randomUUID() }
      await timed(own, () => readOverview(dependencies, new OverviewMemos(), reader))
    }
    report({ title: `figures of the overview in ${rows}`, targetMs: 20, goalOf }, { own })
  }
}

/** What the vendor's next page costs: the columns after it, and the rows by word and by value. */
async function measureChange({ store, database, goalOf }: Compared, random: Random): Promise<void> {
  const nowMs = Date.now()
  const threats = makeThreats(CHANGED_COUNT, random, nowMs).map((threat) => ({
    ...threat,
    id: `new_${threat.id}`,
    publishedAt: new Date(nowMs).toISOString(),
  }))
  await storeThreats(database, placeThreats(threats, new Date(nowMs).toISOString()))
  const sync = await readSyncState(database)
  if (sync.status === 'empty') throw new Error('The window is empty')
  await writeSyncState(database, { ...sync, revision: await nextRevision(database) })
  const ownMs: number[] = []
  const holdMs = await longestHold(async () => {
    store.forget()
    await timed(ownMs, () => store.state())
  })
  console.log(`  ${CHANGED_COUNT} new records taken over in ${Math.round(ownMs[0] ?? 0)} ms`)
  console.log(`    longest hold of the event loop meanwhile ${holdMs} ms${told(goalOf(50))}`)
}

/** Milliseconds. */
async function longestHold(run: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await run()
  delay.disable()
  return Math.round(delay.max / 1e6)
}

async function fillStore(database: Database, random: Random, count: number): Promise<void> {
  const nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  let storedFrom = now
  for (const threats of makeBatches(count, BATCH, random, nowMs)) {
    await storeThreats(database, placeThreats(threats, now))
    storedFrom = threats.at(-1)?.publishedAt ?? storedFrom
  }
  const revision = await nextRevision(database)
  await writeSyncState(database, makeSyncState(now, { source: SOURCE, storedFrom, revision }))
  await indexForSql(database)
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

/** What people ask in the language, from a morning's question to what hardly leaves anything out. */
function search(at: number, random: Random): string {
  const word = () => frequent(WORDS, random)
  const actor = () => frequent(ACTORS, random)
  const country = () => frequent(COUNTRIES, random)
  const victim = () => random.pick(ORGANIZATIONS)
  const shapes = [
    () => `(${word()} OR ${word()}) country:${country()},${country()} after:yesterday -${word()}`,
    () => `(${word()} OR ${word()}) country:${country()},${country()} -${word()}`,
    () => `severity:>=high actor:${actor()},${actor()} -category:other`,
    () => `"${word()} ${word()}" OR victim:${victim()} OR victim:${victim()}`,
    () => `${word().slice(0, 4)}* -${word()} industry:health`,
    () => `(${word()} ${word()}) OR (${word()} -${word()}) OR actor:${actor()}`,
    () => `NOT (${word()} OR country:${country()}) after:30d`,
    () => `${word().slice(0, 2)}* ${word().slice(0, 1)}* -(severity:low OR ${word()})`,
    () => `-${word()}`,
    () => Array.from({ length: 40 }, word).join(' OR '),
  ]
  return shapes[at % shapes.length]?.() ?? ''
}

function valuesOf(name: (typeof NAMES)[number], random: Random): string[] {
  const values: readonly string[] = VALUES[name]
  return [...new Set([frequent(values, random), ...(random.chance(0.5) ? [frequent(values, random)] : [])])]
}

type Compared = {
  store: ThreatStore
  database: Database
  goalOf: GoalOf
  /** The number of questions of each kind that SQL answers too: its answers must be equal. */
  sqlCount: number
}
type Comparison = Compared & { title: string; targetMs: number }

type Asked = ThreatFilter & ListOrder

async function compare(
  { store, database, title, targetMs, goalOf, sqlCount }: Comparison,
  asked: readonly Asked[],
) {
  const own: number[] = []
  const sql: number[] = []
  for (const [at, one] of asked.entries()) {
    const query = threatListQuerySchema.parse(one)
    const nowMs = Date.now()
    const answer = await timed(own, () => store.list(query, UNBOUNDED, null))
    if (at >= sqlCount) continue
    const { total, ids } = await timed(sql, () => answerBySql(database, one, nowMs))
    if (answer?.answer.total !== total)
      throw new Error(`${JSON.stringify(one)}: ${answer?.answer.total} here, ${total} by SQL`)
    if (String(answer.answer.threats.map(({ id }) => id)) !== String(ids))
      throw new Error(`${JSON.stringify(one)}: another page than by SQL`)
  }
  report({ title: `${title}: page, total and facets`, targetMs, goalOf }, { own, sql })
}

type Times = { own: readonly number[]; sql?: readonly number[] }

function report(
  { title, targetMs, goalOf }: Omit<Comparison, 'store' | 'database' | 'sqlCount'>,
  { own, sql }: Times,
): void {
  const [p50, p95] = [percentile(own, 0.5), percentile(own, 0.95)]
  console.log(`  ${title} (${own.length} queries)`)
  console.log(`    lantern   p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}`)
  if (sql) {
    console.log(
      `    sql       p50 ${percentile(sql, 0.5).toFixed(1)}  p95 ${percentile(sql, 0.95).toFixed(1)}`,
    )
  }
  const goal = goalOf(targetMs, LARGE.p95Ms)
  if (goal !== null) console.log(`    ${verdict(p95 <= goal)}: target p95 ${goal} or less`)
}

async function timed<T>(times: number[], run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await run()
  times.push(performance.now() - startedMs)
  return result
}
