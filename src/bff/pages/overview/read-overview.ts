import { LRUCache } from 'lru-cache'
import type { Clock } from '#bff/time/clock.ts'
import { compareDays, isStoredSince, lastMonth, type Month } from '#bff/time/trend-days.ts'
import { readRevision } from '#bff/window/store/triage-queries.ts'
import type { StoredRange, Window } from '#bff/window/window.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { Overview, Period } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { TREND_DAYS } from '#contract/bff/trend.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'

type Counts = Pick<Overview, 'day' | 'week' | 'month' | 'days' | 'top'>

export type ReadOverview = (reader: { lastLeft: string | null; timeZone: string }) => Promise<Overview>

export type ReadOverviewDependencies = {
  database: Database
  window: Pick<Window, 'storedRange' | 'countDays' | 'newest'>
  clock: Clock
}

const MINUTE_MS = 60_000
const WEEK = 7
const RANKED_MAX_COUNT = 8
const CRITICAL_MAX_COUNT = 14
/** Zones of a team. */
const ZONES_MAX_COUNT = 32

/** What is new in the window, free; `lastLeft` is when the reader was here before. */
export function createReadOverview({ database, window, clock }: ReadOverviewDependencies): ReadOverview {
  /** How many threats there are since a moment, and how many came in the same time before it. */
  async function readPeriod(since: number, stored: StoredRange | null): Promise<Period> {
    const nowMs = clock.nowMs()
    // The minute that has begun: an address that holds it is short, and the same for a minute.
    const until = toMinute(nowMs) + MINUTE_MS
    const before = 2 * since - until
    const starts = [before, since, until]
    const counted = await window.countDays({}, { start: before, end: until }, { starts, ...NO_SERIES })
    const [previous = 0, count = 0] = counted?.counts ?? []
    return {
      ...boundsOf({ before, since, until }),
      count: stored !== null && Date.parse(stored.to) > since ? count : null,
      isWhole: isStoredSince(stored, { moment: since, nowMs }),
      previous: isStoredSince(stored, { moment: before, nowMs }) ? previous : null,
    }
  }

  async function countMonth(month: Month, by: keyof Overview['top']) {
    const request = { starts: month.starts, by, seriesFrom: TREND_DAYS, seriesMaxCount: RANKED_MAX_COUNT }
    const bounds = { start: month.starts.at(0) ?? null, end: month.bounds.end }
    const { counts, series } = (await window.countDays({}, bounds, request)) ?? { counts: [], series: [] }
    const ranked = series.map(({ value, counts }) => {
      const { count, previous } = compareDays(month, counts)
      return { value, count: count ?? 0, previous }
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
      week: toPeriod(month, actor.counts, WEEK),
      month: toPeriod(month, actor.counts, TREND_DAYS),
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
    return (await window.newest(filter, CRITICAL_MAX_COUNT, bounds)) ?? []
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
    const stored = await window.storedRange()
    const key = JSON.stringify([toMinute(nowMs), stored?.from, stored?.to, stored?.freshness.fetchedAt])
    const [lastVisit, counts, newestCritical] = await Promise.all([
      lastLeft === null ? null : readPeriod(toMinute(Math.min(nowMs, Date.parse(lastLeft))), stored),
      countsOf(timeZone)(key, () => readCounts(timeZone, { nowMs, stored })),
      // Read again whenever the team has done something: what is dismissed needs nobody's eyes.
      keepCritical(
        readRevision(database).then((revision) => `${key} ${revision}`),
        readCritical,
      ),
    ])
    return { lastVisit, ...counts, newestCritical, freshness: stored?.freshness ?? nothingRead(nowMs) }
  }
}

function toPeriod(month: Month, counts: readonly number[], length: number): Period {
  const [before, since] = [month.starts.at(-2 * length - 1) ?? 0, month.starts.at(-length - 1) ?? 0]
  return { ...boundsOf({ before, since, until: month.bounds.end }), ...compareDays(month, counts, length) }
}

function boundsOf({ before, since, until }: { before: number; since: number; until: number }) {
  const iso = (moment: number) => new Date(moment).toISOString()
  return { since: iso(since), until: iso(until), previousSince: iso(before) }
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

function toMinute(epochMs: number): number {
  return Math.floor(epochMs / MINUTE_MS) * MINUTE_MS
}

function nothingRead(nowMs: number): Freshness {
  return {
    fetchedAt: new Date(nowMs).toISOString(),
    isStale: true,
    staleReason: 'Nothing has been read from the source yet.',
    covers: { from: null, to: null },
  }
}
