import type { Clock } from '#bff/time/clock.ts'
import { readRevision } from '#bff/window/store/triage-queries.ts'
import type { StoredRange, Window } from '#bff/window/window.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { Overview, Period, RankedValue } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'

type Counts = Pick<Overview, 'day' | 'week' | 'month' | 'top'>

export type ReadOverview = (lastLeft: string | null) => Promise<Overview>

export type ReadOverviewDependencies = {
  database: Database
  window: Pick<Window, 'storedRange' | 'countDays' | 'newest'>
  clock: Clock
}

const MINUTE_MS = 60_000
const RANKED_MAX_COUNT = 8
const CRITICAL_MAX_COUNT = 14

/** What is new in the window, free; `lastLeft` is when the reader was here before. */
export function createReadOverview({ database, window, clock }: ReadOverviewDependencies): ReadOverview {
  /** How many threats there are since a moment, and how many came in the same time before it. */
  async function readPeriod(since: number, stored: StoredRange | null): Promise<Period> {
    const nowMs = clock.nowMs()
    const before = 2 * since - nowMs
    const starts = [before, since, Number.POSITIVE_INFINITY]
    const counted = await window.countDays({}, { start: before, end: null }, { starts, ...NO_SERIES })
    const [previous = 0, count = 0] = counted?.counts ?? []
    const isStored = stored !== null && Date.parse(stored.to) > since
    return {
      since: new Date(since).toISOString(),
      count: isStored ? count : null,
      isWhole: isStored && isStoredFrom(stored, since),
      previous: isStored && isStoredFrom(stored, before) ? previous : null,
      previousSince: new Date(before).toISOString(),
    }
  }

  async function rank(
    by: keyof Overview['top'],
    since: number,
    stored: StoredRange | null,
  ): Promise<RankedValue[]> {
    const before = 2 * since - clock.nowMs()
    const counted = await window.countDays(
      {},
      { start: before, end: null },
      {
        starts: [before, since, Number.POSITIVE_INFINITY],
        by,
        seriesFrom: 1,
        seriesMaxCount: RANKED_MAX_COUNT,
      },
    )
    const isCompared = stored !== null && isStoredFrom(stored, before)
    return (counted?.series ?? []).map(({ value, counts: [previous = 0, count = 0] }) => ({
      value,
      count,
      previous: isCompared ? previous : null,
    }))
  }

  async function readCounts(nowMs: number, stored: StoredRange | null): Promise<Counts> {
    const since = (days: number) => toMinute(nowMs - days * DAY_MS)
    const [day, week, month, actor, country, industry, severity] = await Promise.all([
      readPeriod(since(1), stored),
      readPeriod(since(7), stored),
      readPeriod(since(30), stored),
      rank('actor', since(30), stored),
      rank('country', since(30), stored),
      rank('industry', since(30), stored),
      rank('severity', since(30), stored),
    ])
    return { day, week, month, top: { actor, country, industry, severity } }
  }

  async function readCritical(): Promise<Threat[]> {
    return (await window.newest({ severity: ['critical'], triage: 'open' }, CRITICAL_MAX_COUNT)) ?? []
  }

  const keepCounts = createKept<Counts>()
  const keepCritical = createKept<Threat[]>()

  return async (lastLeft) => {
    const nowMs = clock.nowMs()
    const stored = await window.storedRange()
    const key = JSON.stringify([toMinute(nowMs), stored?.from, stored?.to, stored?.freshness.fetchedAt])
    const [lastVisit, counts, newestCritical] = await Promise.all([
      lastLeft === null ? null : readPeriod(toMinute(Date.parse(lastLeft)), stored),
      keepCounts(key, () => readCounts(nowMs, stored)),
      // Read again whenever the team has done something: what is dismissed needs nobody's eyes.
      keepCritical(
        readRevision(database).then((revision) => `${key} ${revision}`),
        readCritical,
      ),
    ])
    return { lastVisit, ...counts, newestCritical, freshness: stored?.freshness ?? nothingRead(nowMs) }
  }
}

/** A memo of one value for everyone, read again when the key changes; while the database is away, the last value. */
function createKept<T>() {
  let last: { value: T } | null = null
  let kept: { key: string; cached: Promise<T> } | null = null
  return async (newKey: string | Promise<string>, read: () => Promise<T>): Promise<T> => {
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

function isStoredFrom({ from }: StoredRange, moment: number): boolean {
  return Date.parse(from) <= moment
}

/** So that an address that holds it is short, and the same for a minute. */
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
