import { LRUCache } from 'lru-cache'
import { readConcerns } from '#bff/store/lists/concern-queries.ts'
import { readRevision } from '#bff/store/records/triage-queries.ts'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import {
  type CountedPeriod,
  type CountedTimeName,
  comparedUntil,
  countedPeriod,
  countPeriod,
  isStoredBetween,
} from '#bff/time/counted-period.ts'
import { iso } from '#bff/time/iso-time.ts'
import { countsSince, type PieceCounts } from '#bff/time/piece-counts.ts'
import { type Parts, sameParts, toMinute } from '#bff/time/same-part.ts'
import type { RowKind } from '#contract/bff/arrangement.ts'
import type { Overview, TimeCount } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'

type Counts = Pick<Overview, 'day' | 'week' | 'period' | 'days' | 'top'>
type Reader = {
  accountId: string
  lastLeft: string | null
  timeZone: string
  period: string
  rows?: RowKind | undefined
}
/** One period, of claims or of cases, at one moment: the parts of the page count it. */
type Question = {
  store: ThreatStore
  counted: CountedPeriod
  stored: StoredRange | null
  rows: RowKind | undefined
  nowMs: number
}

export type OverviewDependencies = {
  database: Database
  store: ThreatStore
  clock: Clock
}

/** A first visit shows what concerns its reader in these last days. */
const FIRST_VISIT_DAYS = 7
const RANKED_MAX_COUNT = 8
const CRITICAL_MAX_COUNT = 14
/** A team has this many time zones and periods. */
const COUNTS_MAX_COUNT = 64
const NO_SERIES = { by: undefined, seriesFrom: 0, seriesEnd: 0, seriesMaxCount: 0 }

/** A value for everyone, read again when its key changes; while the database is away, the last value. */
class Memo<T> {
  #last: { value: T } | null = null
  #kept: { key: string; cached: Promise<T> } | null = null

  async read(newKey: string | Promise<string>, read: () => Promise<T>): Promise<T> {
    try {
      const key = await newKey
      if (this.#kept?.key !== key) this.#kept = { key, cached: read() }
      this.#last = { value: await this.#kept.cached }
      return this.#last.value
    } catch (error) {
      this.#kept = null
      if (this.#last === null || !isDatabaseAway(error)) throw error
      return this.#last.value
    }
  }
}

/** The parts of the last overviews that all readers share. */
export class OverviewMemos {
  readonly critical = new Memo<Threat[]>()
  readonly #counts = new LRUCache<string, Memo<Counts>>({ max: COUNTS_MAX_COUNT })

  countsOf({ period, timeZone, rows }: Reader): Memo<Counts> {
    const key = `${period} ${timeZone} ${rows}`
    const known = this.#counts.get(key) ?? new Memo<Counts>()
    this.#counts.set(key, known)
    return known
  }
}

/** Reads the new threats from the store, without calls. `lastLeft` is when the reader's last visit ended. */
export async function readOverview(
  { database, store, clock }: OverviewDependencies,
  memos: OverviewMemos,
  reader: Reader,
): Promise<Overview> {
  const { accountId, lastLeft, timeZone, period, rows } = reader
  const nowMs = clock.nowMs()
  const [stored, { cases }] = await Promise.all([store.storedRange(), store.indexed()])
  const counted = countedPeriod(period, { timeZone, nowMs, stored })
  const question = { store, counted, stored, rows, nowMs }
  const isDatedByDay = stored?.isDatedByDay === true
  const { time, freshness } = stored ?? {}
  const key = JSON.stringify([toMinute(nowMs), time, freshness?.change, freshness?.fetchedAt])
  const visitMs = lastLeft === null ? null : startOfVisit(lastLeft, { nowMs, isDatedByDay })
  const concernsSince = iso(visitMs ?? toMinute(nowMs) - FIRST_VISIT_DAYS * DAY_MS)
  const [lastVisit, concerns, counts, newestCritical] = await Promise.all([
    visitMs === null ? null : readTime(question, visitMs),
    readConcerns(database, { accountId, since: concernsSince }).catch(orUnknown),
    memos
      .countsOf(reader)
      .read(`${key} ${rows === 'cases' ? cases.revision : ''}`, () => readCounts(question)),
    // Read again whenever the team has done something: what is closed needs nobody's eyes.
    memos.critical.read(
      readRevision(database).then((revision) => `${key} ${revision}`),
      () => readCritical(store, nowMs),
    ),
  ])
  const dated = isDatedByDay && { isDatedByDay }
  return {
    lastVisit,
    concerns,
    ...counts,
    ...dated,
    newestCritical,
    freshness: freshness ?? (await store.freshness()),
  }
}

/** Counts threats since a moment, compared with the same part of the period before. */
async function readTime(
  { store, stored, rows, nowMs }: Omit<Question, 'counted'>,
  since: number,
): Promise<TimeCount> {
  // The minute that has begun: an address that holds it is short, and the same for a minute.
  const until = toMinute(nowMs) + MINUTE_MS
  const isDatedByDay = stored?.isDatedByDay
  const parts = sameParts(
    { before: 2 * since - until, since },
    { until: comparedUntil(stored, nowMs), isDatedByDay },
  )
  const count = async (start: number, end: number) => {
    const pieces = await store.countDays({ rows }, { start, end }, { starts: [start, end], ...NO_SERIES })
    const [cases] = pieces.repeats ? countsSince(pieces, 0) : []
    return { count: pieces.counts.at(0) ?? 0, ...(cases !== undefined && { cases }) }
  }
  const compare = async () => {
    const [now, before] = await Promise.all([
      count(parts.since, parts.until),
      count(parts.previousSince, parts.previousUntil),
    ])
    const { cases } = now
    return {
      count: now.count,
      previous: before.count,
      ...(cases !== undefined && { cases: { count: cases, previous: before.cases ?? 0 } }),
    }
  }
  const isCompared =
    parts.until > since && isStoredBetween(stored, { start: parts.previousSince, end: null }, nowMs)
  return {
    since: iso(since),
    until: iso(until),
    ...(stored !== null && Date.parse(stored.to) > since ? await count(since, until) : unknownCount(rows)),
    isWhole: isStoredBetween(stored, { start: since, end: null }, nowMs),
    compared: isCompared
      ? {
          ...(await compare()),
          ...(isDatedByDay && { isWithoutToday: true }),
          ...boundsOf(parts),
        }
      : null,
  }
}

async function readCounts(question: Question): Promise<Counts> {
  const { counted, nowMs } = question
  const [day, actor, country, industry, severity] = await Promise.all([
    readTime(question, toMinute(nowMs) + MINUTE_MS - DAY_MS),
    rank(question, 'actor'),
    rank(question, 'country'),
    rank(question, 'industry'),
    rank(question, 'severity'),
  ])
  return {
    day,
    week: toTimeCount(counted, actor.all, 'week'),
    period: { ...counted.period, ...toTimeCount(counted, actor.all, 'chosen') },
    days: counted.coverage,
    top: {
      actor: actor.ranked,
      country: country.ranked,
      industry: industry.ranked,
      severity: severity.ranked,
    },
  }
}

async function rank({ store, counted, rows }: Question, by: keyof Overview['top']) {
  const { edges, firstPiece, endPiece } = counted
  const request = {
    starts: edges,
    by,
    seriesFrom: firstPiece,
    seriesEnd: endPiece,
    seriesMaxCount: RANKED_MAX_COUNT,
  }
  const bounds = { start: edges.at(0) ?? null, end: edges.at(-1) ?? null }
  const { series, scope: _, ...all } = await store.countDays({ rows }, bounds, request)
  const ranked = series.flatMap(({ value, ...pieces }) => {
    const { count, cases, compared } = countPeriod(counted, pieces)
    // A time that is not stored has no counts, though single records of it are stored.
    return count === null ? [] : { value, count, ...(typeof cases === 'number' && { cases }), compared }
  })
  return { all, ranked }
}

/** A record without a date, or with a future one, is not among the newest. */
function readCritical(store: ThreatStore, nowMs: number): Promise<Threat[]> {
  const filter: ThreatFilter = { severity: ['critical'], triage: 'open' }
  return store.newest(filter, CRITICAL_MAX_COUNT, { start: null, end: nowMs })
}

/** The rest of the page does not wait for the database. */
export function orUnknown(error: unknown): undefined {
  if (!isDatabaseAway(error)) throw error
}

/** If records have no time of day, those of the whole day may be new. */
function startOfVisit(
  lastLeft: string,
  { nowMs, isDatedByDay }: { nowMs: number; isDatedByDay: boolean },
): number {
  const left = toMinute(Math.min(nowMs, Date.parse(lastLeft)))
  return isDatedByDay ? left - (left % DAY_MS) : left
}

function toTimeCount(counted: CountedPeriod, pieces: PieceCounts, time: CountedTimeName): TimeCount {
  const { compared, ...count } = countPeriod(counted, pieces, time)
  const { parts } = counted[time]
  const end = time === 'week' ? counted.edges.at(-1) : counted.bounds.end
  return {
    since: iso(parts.since),
    until: iso(end ?? parts.until),
    ...count,
    compared: compared && { ...compared, ...boundsOf(parts) },
  }
}

function boundsOf({ until, previousSince, previousUntil }: Parts) {
  return { until: iso(until), previousSince: iso(previousSince), previousUntil: iso(previousUntil) }
}

function unknownCount(rows: RowKind | undefined): { count: null; cases?: null } {
  return { count: null, ...(rows === 'cases' && { cases: null }) }
}
