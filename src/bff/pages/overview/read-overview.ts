import { LRUCache } from 'lru-cache'
import { readRevision } from '#bff/store/records/triage-queries.ts'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import { unreadFreshness } from '#bff/store/window-freshness.ts'
import type { Clock } from '#bff/time/clock.ts'
import { MINUTE_MS, type Parts, sameParts, toMinute } from '#bff/time/same-part.ts'
import {
  type ComparedPeriod,
  comparedUntil,
  countPeriod,
  isStoredSince,
  lastMonth,
  type Month,
} from '#bff/time/trend-days.ts'
import type { Overview, Period } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'

type Counts = Pick<Overview, 'day' | 'week' | 'month' | 'days' | 'top'>

export type ReadOverview = (reader: { lastLeft: string | null; timeZone: string }) => Promise<Overview>

export type ReadOverviewDependencies = {
  database: Database
  store: Pick<ThreatStore, 'storedRange' | 'countDays' | 'newest'>
  clock: Clock
}

const RANKED_MAX_COUNT = 8
const CRITICAL_MAX_COUNT = 14
/** Zones of a team. */
const ZONES_MAX_COUNT = 32

/** What is new in the window, free; `lastLeft` is when the reader was here before. */
export function createReadOverview({ database, store, clock }: ReadOverviewDependencies): ReadOverview {
  /** How many threats there are since a moment, compared with the same part of as long a time before. */
  async function readPeriod(since: number, stored: StoredRange | null): Promise<Period> {
    const nowMs = clock.nowMs()
    // The minute that has begun: an address that holds it is short, and the same for a minute.
    const until = toMinute(nowMs) + MINUTE_MS
    const isDatedByDay = stored?.isDatedByDay
    const parts = sameParts(
      { before: 2 * since - until, since },
      { until: comparedUntil(stored, nowMs), isDatedByDay },
    )
    const count = async (start: number, end: number) => {
      const counted = await store.countDays({}, { start, end }, { starts: [start, end], ...NO_SERIES })
      return counted?.counts.at(0) ?? 0
    }
    const isCompared = parts.until > since && isStoredSince(stored, { moment: parts.previousSince, nowMs })
    return {
      since: iso(since),
      until: iso(until),
      count: stored !== null && Date.parse(stored.to) > since ? await count(since, until) : null,
      isWhole: isStoredSince(stored, { moment: since, nowMs }),
      compared: isCompared
        ? {
            count: await count(parts.since, parts.until),
            previous: await count(parts.previousSince, parts.previousUntil),
            ...(isDatedByDay && { isWithoutToday: true }),
            ...boundsOf(parts),
          }
        : null,
    }
  }

  async function countMonth(month: Month, by: keyof Overview['top']) {
    const request = {
      starts: month.edges,
      by,
      seriesFrom: month.firstPiece,
      seriesMaxCount: RANKED_MAX_COUNT,
    }
    const bounds = { start: month.edges.at(0) ?? null, end: month.bounds.end }
    const { counts, series } = (await store.countDays({}, bounds, request)) ?? { counts: [], series: [] }
    const ranked = series.map(({ value, counts }) => {
      const { count, compared } = countPeriod(month, counts)
      return { value, count: count ?? 0, compared }
    })
    return { counts, ranked }
  }

  async function readCounts(
    timeZone: string,
    { nowMs, stored }: { nowMs: number; stored: StoredRange | null },
  ): Promise<Counts> {
    const month = lastMonth(timeZone, nowMs, stored)
    const [day, actor, country, industry, severity] = await Promise.all([
      readPeriod(toMinute(nowMs) + MINUTE_MS - DAY_MS, stored),
      countMonth(month, 'actor'),
      countMonth(month, 'country'),
      countMonth(month, 'industry'),
      countMonth(month, 'severity'),
    ])
    return {
      day,
      week: toPeriod(month, actor.counts, 'week'),
      month: toPeriod(month, actor.counts, 'month'),
      days: month.coverage,
      top: {
        actor: actor.ranked,
        country: country.ranked,
        industry: industry.ranked,
        severity: severity.ranked,
      },
    }
  }

  async function readCritical(): Promise<Threat[]> {
    // What has no date, or one that is still to come, is none of the newest.
    const bounds = { start: null, end: clock.nowMs() }
    const filter: ThreatFilter = { severity: ['critical'], triage: 'open' }
    return (await store.newest(filter, CRITICAL_MAX_COUNT, bounds)) ?? []
  }

  const keepCounts = new LRUCache<string, Kept<Counts>>({ max: ZONES_MAX_COUNT })
  const keepCritical = createKept<Threat[]>()

  function countsOf(timeZone: string): Kept<Counts> {
    const kept = keepCounts.get(timeZone) ?? createKept<Counts>()
    keepCounts.set(timeZone, kept)
    return kept
  }

  return async ({ lastLeft, timeZone }) => {
    const nowMs = clock.nowMs()
    const stored = await store.storedRange()
    const isDatedByDay = stored?.isDatedByDay === true
    const key = JSON.stringify([toMinute(nowMs), stored?.from, stored?.to, stored?.freshness.fetchedAt])
    const [lastVisit, counts, newestCritical] = await Promise.all([
      lastLeft === null ? null : readPeriod(startOfVisit(lastLeft, { nowMs, isDatedByDay }), stored),
      countsOf(timeZone)(key, () => readCounts(timeZone, { nowMs, stored })),
      // Read again whenever the team has done something: what is dismissed needs nobody's eyes.
      keepCritical(
        readRevision(database).then((revision) => `${key} ${revision}`),
        readCritical,
      ),
    ])
    const dated = isDatedByDay && { isDatedByDay }
    return {
      lastVisit,
      ...counts,
      ...dated,
      newestCritical,
      freshness: stored?.freshness ?? unreadFreshness(nowMs),
    }
  }
}

/** Where records have no time of day, those of the whole day may be new. */
function startOfVisit(
  lastLeft: string,
  { nowMs, isDatedByDay }: { nowMs: number; isDatedByDay: boolean },
): number {
  const left = toMinute(Math.min(nowMs, Date.parse(lastLeft)))
  return isDatedByDay ? left - (left % DAY_MS) : left
}

function toPeriod(month: Month, counts: readonly number[], period: ComparedPeriod): Period {
  const { compared, ...counted } = countPeriod(month, counts, period)
  const parts = month.parts[period]
  return {
    since: iso(parts.since),
    until: iso(month.bounds.end),
    ...counted,
    compared: compared && { ...compared, ...boundsOf(parts) },
  }
}

function boundsOf({ until, previousSince, previousUntil }: Parts) {
  return { until: iso(until), previousSince: iso(previousSince), previousUntil: iso(previousUntil) }
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

type Kept<T> = (key: string | Promise<string>, read: () => Promise<T>) => Promise<T>

/** A memo of one value for everyone, read again when the key changes; while the database is away, the last value. */
function createKept<T>(): Kept<T> {
  let last: { value: T } | null = null
  let kept: { key: string; cached: Promise<T> } | null = null
  return async (newKey, read) => {
    try {
      const key = await newKey
      if (kept?.key !== key) kept = { key, cached: read() }
      last = { value: await kept.cached }
      return last.value
    } catch (error) {
      kept = null
      if (last === null || !isDatabaseAway(error)) throw error
      return last.value
    }
  }
}

const NO_SERIES = { by: undefined, seriesFrom: 0, seriesMaxCount: 0 }
