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

/** What is new in the window, at no call; `lastLeft` is when the reader was here before. */
export function createReadOverview({ database, window, clock }: ReadOverviewDependencies): ReadOverview {
  /** How many threats there are since a moment, and how many came in the same time before it. */
  async function readPeriod(since: number, held: StoredRange | null): Promise<Period> {
    const nowMs = clock.nowMs()
    const before = 2 * since - nowMs
    const starts = [before, since, Number.POSITIVE_INFINITY]
    const counted = await window.countDays({}, { start: before, end: null }, { starts, ...NO_SERIES })
    const [previous = 0, count = 0] = counted?.counts ?? []
    const isHeld = held !== null && Date.parse(held.to) > since
    return {
      since: new Date(since).toISOString(),
      count: isHeld ? count : null,
      isWhole: isHeld && isStoredFrom(held, since),
      previous: isHeld && isStoredFrom(held, before) ? previous : null,
      previousSince: new Date(before).toISOString(),
    }
  }

  async function rank(
    by: keyof Overview['top'],
    since: number,
    held: StoredRange | null,
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
    const isCompared = held !== null && isStoredFrom(held, before)
    return (counted?.series ?? []).map(({ value, counts: [previous = 0, count = 0] }) => ({
      value,
      count,
      previous: isCompared ? previous : null,
    }))
  }

  async function readCounts(nowMs: number, held: StoredRange | null): Promise<Counts> {
    const since = (days: number) => toMinute(nowMs - days * DAY_MS)
    const [day, week, month, actor, country, industry, severity] = await Promise.all([
      readPeriod(since(1), held),
      readPeriod(since(7), held),
      readPeriod(since(30), held),
      rank('actor', since(30), held),
      rank('country', since(30), held),
      rank('industry', since(30), held),
      rank('severity', since(30), held),
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
    const held = await window.storedRange()
    const key = JSON.stringify([toMinute(nowMs), held?.from, held?.to, held?.freshness.fetchedAt])
    const [lastVisit, counts, newestCritical] = await Promise.all([
      lastLeft === null ? null : readPeriod(toMinute(Date.parse(lastLeft)), held),
      keepCounts(key, () => readCounts(nowMs, held)),
      // Asked for anew whenever the team has done something: what is dismissed needs nobody's eyes.
      keepCritical(
        readRevision(database).then((revision) => `${key} ${revision}`),
        readCritical,
      ),
    ])
    return { lastVisit, ...counts, newestCritical, freshness: held?.freshness ?? nothingRead(nowMs) }
  }
}

/** The same for everyone, and read once for as long as the key stays; while the database is away, what was read last. */
function createKept<T>() {
  let last: { value: T } | null = null
  let kept: { key: string; reading: Promise<T> } | null = null
  return async (asked: string | Promise<string>, read: () => Promise<T>): Promise<T> => {
    try {
      const key = await asked
      if (kept?.key !== key) kept = { key, reading: read() }
      last = { value: await kept.reading }
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
