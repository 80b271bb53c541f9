import { LRUCache } from 'lru-cache'
import type { Clock } from '#bff/time/clock.ts'
import { coverageOf, lastDays } from '#bff/time/trend-days.ts'
import { countVictims } from '#bff/window/store/victim-queries.ts'
import type { StoredRange, Window } from '#bff/window/window.ts'
import { TREND_DAYS, type TrendDay } from '#contract/bff/trend.ts'
import type { Database } from '#database/database.ts'
import { countTerms, type TermCounts } from './count-days.ts'
import type { IndexRows } from './index-rows.ts'
import { selectRows, UNBOUNDED } from './select-rows.ts'
import type { FacetName } from './threat-terms.ts'

/** One value of a name, in the days of a trend. */
export type Tally = {
  value: string
  /** Of the known days; null where none is known. */
  count: number | null
  /** Of the 30 days before; null unless all of them are stored whole. */
  previousCount: number | null
  counts: (number | null)[]
  /** Of the last 7 days and the 7 before; null unless all of them are known. */
  week: { count: number; before: number } | null
  /** Bounds of what is stored of it, ISO 8601 UTC. */
  firstAt: string
  latestAt: string
  /** What its records also hold, most frequent first. */
  others: ReadonlyMap<FacetName, readonly { value: string; count: number }[]>
}

export type Tallies = {
  /** Null while nothing is stored: then there are no tallies either. */
  stored: StoredRange | null
  days: Pick<TrendDay, 'date' | 'coverage'>[]
  /** By the window's terms. */
  byTerm: ReadonlyMap<string, Tally>
  /** Distinct organisations that are named beside each term. */
  countVictims(): Promise<ReadonlyMap<string, number>>
}

export type TallyName = 'actor' | 'country'
export type ReadTallies = (name: TallyName, timeZone: string) => Promise<Tallies>

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

const DAYS = 2 * TREND_DAYS
const WEEK = 7
/** Of actors and countries, each in the zones of a team: one more than these, and each question counts anew. */
const KEPT_MAX_COUNT = 32

type Dependencies = { database: Database; window: Pick<Window, 'storedRange' | 'indexRows'>; clock: Clock }
type Counted = Pick<Tallies, 'byTerm' | 'countVictims'>

/** Counts all actors or countries of the window at once: searches, tabs and pages of one are looked up in the same tallies. */
export function createReadTallies({ database, window, clock }: Dependencies): ReadTallies {
  // What was counted in rows holds for as long as there are no others.
  const kept = new WeakMap<IndexRows, LRUCache<string, Counted>>()

  return async (name, timeZone) => {
    const [stored, rows] = await Promise.all([window.storedRange(), window.indexRows()])
    const nowMs = clock.nowMs()
    const days = lastDays(DAYS, timeZone, nowMs)
    const span = stored && { from: Date.parse(stored.from), to: Math.min(nowMs, Date.parse(stored.to)) }
    const coverages = days.map((day) => coverageOf(day, span))
    const starts = [...days.map(({ start }) => start), days.at(-1)?.end ?? nowMs]
    const since = starts[TREND_DAYS] ?? nowMs

    function count(rows: IndexRows): Counted {
      const { matched } = selectRows(rows, { filter: {}, bounds: UNBOUNDED })
      const found = countTerms(rows, matched, { name, others: OTHERS[name], starts, othersFrom: TREND_DAYS })
      let victims: Promise<ReadonlyMap<string, number>> | undefined
      return {
        byTerm: new Map([...found].map(([term, counts]) => [term, toTally(counts, coverages)])),
        countVictims() {
          victims ??= countVictims(database, name, since)
          victims.catch(() => {
            victims = undefined
          })
          return victims
        },
      }
    }

    const known = (rows && kept.get(rows)) ?? new LRUCache<string, Counted>({ max: KEPT_MAX_COUNT })
    const key = JSON.stringify([name, timeZone, days.at(-1)?.date, coverages])
    const counted = known.get(key) ?? (rows && count(rows))
    if (rows && counted) {
      known.set(key, counted)
      kept.set(rows, known)
    }
    return {
      stored: rows && stored,
      days: days.map(({ date }, at) => ({ date, coverage: coverages[at] ?? 'unknown' })).slice(TREND_DAYS),
      byTerm: counted?.byTerm ?? new Map(),
      countVictims: counted?.countVictims ?? (async () => new Map()),
    }
  }
}

function toTally(
  { value, firstAt, latestAt, counts, others }: TermCounts,
  coverages: readonly TrendDay['coverage'][],
): Tally {
  const all = coverages.map((coverage, day) => (coverage === 'unknown' ? null : (counts[day] ?? 0)))
  const current = all.slice(TREND_DAYS)
  const isPreviousWhole = coverages.slice(0, TREND_DAYS).every((coverage) => coverage === 'whole')
  const areWeeksKnown = coverages.slice(-2 * WEEK).every((coverage) => coverage !== 'unknown')
  return {
    value,
    count: current.every((one) => one === null) ? null : sum(current),
    previousCount: isPreviousWhole ? sum(all.slice(0, TREND_DAYS)) : null,
    counts: current,
    week: areWeeksKnown ? { count: sum(all.slice(-WEEK)), before: sum(all.slice(-2 * WEEK, -WEEK)) } : null,
    firstAt: new Date(firstAt).toISOString(),
    latestAt: new Date(latestAt).toISOString(),
    others,
  }
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0)
}
