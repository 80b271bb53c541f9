import { BoundedMap } from '#bff/cache/bounded-map.ts'
import { feedBounds } from '#bff/threats/feed-bounds.ts'
import { coverageOf, lastDays } from '#bff/trends/trend-days.ts'
import type { Clock } from '#bff/upstream/clock.ts'
import type { FacetName } from '#bff/window/threat-terms.ts'
import type { Held, Window } from '#bff/window/window.ts'
import { TREND_DAYS, type TrendDay } from '#contract/bff/trend.ts'
import type { Database } from '#database/database.ts'
import { countPairs, countTermDays, countVictims, type Pair, type TermDays } from './tally-queries.ts'

/** One value of a name, in the days of a trend. */
export type Tally = {
  value: string
  /** Of the known days; null where none is known. */
  count: number | null
  /** Of the 30 days before; null unless all of them are held whole. */
  previousCount: number | null
  counts: (number | null)[]
  /** Of the last 7 days and the 7 before; null unless all of them are known. */
  week: { count: number; before: number } | null
  /** Bounds of what is held of it, ISO 8601 UTC. */
  firstAt: string
  latestAt: string
  /** What its records also hold, most frequent first. */
  others: ReadonlyMap<FacetName, readonly { value: string; count: number }[]>
  /** Distinct organisations. */
  victims: number
}

export type Tallies = {
  /** Null while nothing is held: then there are no tallies either. */
  held: Held | null
  days: Pick<TrendDay, 'date' | 'coverage'>[]
  /** By the window's terms. */
  byTerm: ReadonlyMap<string, Tally>
}

export type TallyName = 'actor' | 'country'
export type ReadTallies = (name: TallyName, timeZone: string) => Promise<Tallies>

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

const DAYS = 2 * TREND_DAYS
const WEEK = 7
const KEPT_MAX_COUNT = 8

type Dependencies = { database: Database; window: Pick<Window, 'held'>; clock: Clock }

/** Counts all actors or countries of the window at once: searches, tabs and pages of one are looked up in the same tallies. */
export function createReadTallies({ database, window, clock }: Dependencies): ReadTallies {
  const kept = new BoundedMap<Promise<Tallies>>({ maxSize: KEPT_MAX_COUNT, maxCount: KEPT_MAX_COUNT })

  async function count(name: TallyName, timeZone: string, held: Held | null): Promise<Tallies> {
    const nowMs = clock.nowMs()
    const days = lastDays(DAYS, timeZone, nowMs)
    const span = held && { from: Date.parse(held.from), to: Math.min(nowMs, Date.parse(held.to)) }
    const coverages = days.map((day) => coverageOf(day, span))
    const told = days
      .map(({ date }, at) => ({ date, coverage: coverages[at] ?? 'unknown' }))
      .slice(TREND_DAYS)
    if (!held) return { held, days: told, byTerm: new Map() }

    const starts = [...days.map(({ start }) => start), days.at(-1)?.end ?? nowMs]
    const since = starts[TREND_DAYS] ?? nowMs
    const [terms, pairs, victims] = await Promise.all([
      countTermDays(database, name, starts),
      countPairs(database, name, { others: OTHERS[name], since }),
      countVictims(database, name, since),
    ])
    const pairsOf = Map.groupBy(pairs, ({ term }) => term)
    const byTerm = new Map(
      terms.map((found) => [
        found.term,
        {
          ...toTally(found, coverages),
          others: groupPairs(pairsOf.get(found.term) ?? []),
          victims: victims.get(found.term) ?? 0,
        },
      ]),
    )
    return { held, days: told, byTerm }
  }

  return async (name, timeZone) => {
    // Refuses what is no zone.
    feedBounds({ timeZone })
    const held = await window.held()
    const today = lastDays(1, timeZone, clock.nowMs()).at(0)?.date
    const key = JSON.stringify([name, timeZone, today, held?.from, held?.to, held?.freshness.fetchedAt])
    const known = kept.get(key)
    // The same figures may have become stale meanwhile.
    if (known) return { ...(await known), held }
    const counting = count(name, timeZone, held)
    kept.set(key, counting, 1)
    counting.catch(() => kept.delete(key))
    return counting
  }
}

function toTally(
  { value, firstAt, latestAt, days, counts }: TermDays,
  coverages: readonly TrendDay['coverage'][],
): Omit<Tally, 'others' | 'victims'> {
  const found = new Map(days.map((day, at) => [day, counts[at] ?? 0]))
  const all = coverages.map((coverage, day) => (coverage === 'unknown' ? null : (found.get(day) ?? 0)))
  const current = all.slice(TREND_DAYS)
  const isPreviousWhole = coverages.slice(0, TREND_DAYS).every((coverage) => coverage === 'whole')
  const areWeeksKnown = coverages.slice(-2 * WEEK).every((coverage) => coverage !== 'unknown')
  return {
    value,
    count: current.every((one) => one === null) ? null : sum(current),
    previousCount: isPreviousWhole ? sum(all.slice(0, TREND_DAYS)) : null,
    counts: current,
    week: areWeeksKnown ? { count: sum(all.slice(-WEEK)), before: sum(all.slice(-2 * WEEK, -WEEK)) } : null,
    firstAt,
    latestAt,
  }
}

function groupPairs(pairs: readonly Pair[]): Tally['others'] {
  return Map.groupBy(pairs, ({ name }) => name)
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0)
}
