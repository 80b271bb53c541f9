import { LRUCache } from 'lru-cache'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import {
  type CountedPeriod,
  countedPeriod,
  countPeriod,
  countsOf,
  knownCount,
} from '#bff/time/counted-period.ts'
import { toIso } from '#bff/time/time-range.ts'
import type { Comparison } from '#contract/bff/comparison.ts'
import type { Period } from '#contract/bff/period.ts'
import type { TrendDay } from '#contract/bff/trend.ts'
import { countTerms, type TermCounts } from './count-days.ts'
import { countVictims } from './count-victims.ts'
import type { IndexRows } from './index-rows.ts'
import { selectRows, UNBOUNDED } from './select-rows.ts'
import type { FacetName } from './threat-terms.ts'

/** One value of a name, in the intervals of a period. */
export type Tally = {
  value: string
  /** Of the known intervals; null where none is known. */
  count: number | null
  /** With the same part of the period before; null unless all of both is stored. */
  compared: Comparison | null
  counts: (number | null)[]
  week: Week
  /** Bounds of what is stored of it up to today, ISO 8601 UTC; null where nothing of that has a date. */
  firstAt: string | null
  latestAt: string | null
  /** What its records also hold, most frequent first. */
  others: ReadonlyMap<FacetName, readonly { value: string; count: number }[]>
}

/** Of the last 7 days, null unless they are stored; `compared` with the same part of the 7 days before. */
export type Week = { count: number; compared: Comparison | null } | null

export type Tallies = {
  /** Null while nothing is stored: then there are no tallies either. */
  stored: StoredRange | null
  period: Period
  days: Pick<TrendDay, 'date' | 'coverage'>[]
  /** The first moment of the last 7 days, epoch milliseconds. */
  weekStartsAt: number
  /** Of what the window does not name. */
  none: Pick<Tally, 'counts' | 'week'>
  /** By the window's terms. */
  byTerm: ReadonlyMap<string, Tally>
  /** Distinct organisations that are named beside each term. */
  countVictims(): Promise<ReadonlyMap<string, number>>
}

export type TallyName = 'actor' | 'country'
export type ReadTallies = (name: TallyName, of: { timeZone: string; period: string }) => Promise<Tallies>

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

/** Of actors and countries, each in the zones and periods of a team: one more than these, and each question counts anew. */
const KEPT_MAX_COUNT = 32

type Dependencies = {
  store: Pick<ThreatStore, 'storedRange' | 'indexRows'>
  clock: Clock
}
type Counted = Pick<Tallies, 'byTerm' | 'countVictims'>

/** Counts all actors or countries of the window at once: searches, tabs and pages of one are looked up in the same tallies. */
export function createReadTallies({ store, clock }: Dependencies): ReadTallies {
  // What was counted in rows holds for as long as there are no others.
  const kept = new WeakMap<IndexRows, LRUCache<string, Counted>>()

  return async (name, { timeZone, period }) => {
    const [stored, rows] = await Promise.all([store.storedRange(), store.indexRows()])
    const nowMs = clock.nowMs()
    const counted = countedPeriod(period, { timeZone, nowMs, stored })

    function count(): Counted {
      const { matched } = selectRows(rows, { filter: {}, bounds: UNBOUNDED })
      const found = countTerms(rows, matched, {
        name,
        others: OTHERS[name],
        starts: counted.edges,
        othersFrom: counted.firstPiece,
        othersEnd: counted.endPiece,
      })
      let victims: Promise<ReadonlyMap<string, number>> | undefined
      return {
        byTerm: new Map([...found].map(([term, counts]) => [term, toTally(counts, counted)])),
        countVictims() {
          victims ??= countVictims(rows, name, counted.bounds)
          return victims
        },
      }
    }

    const known = kept.get(rows) ?? new LRUCache<string, Counted>({ max: KEPT_MAX_COUNT })
    const key = JSON.stringify([
      name,
      timeZone,
      period,
      counted.days,
      counted.edges,
      counted.chosen,
      counted.week,
    ])
    const found = known.get(key) ?? count()
    known.set(key, found)
    kept.set(rows, known)
    return {
      stored,
      period: counted.period,
      days: counted.coverage,
      weekStartsAt: counted.week.parts.since,
      none: figuresOf([], counted),
      byTerm: found.byTerm,
      countVictims: found.countVictims,
    }
  }
}

function toTally({ value, firstAt, latestAt, counts, others }: TermCounts, counted: CountedPeriod): Tally {
  const { count, compared } = countPeriod(counted, counts)
  return {
    value,
    count,
    compared,
    ...figuresOf(counts, counted),
    firstAt: toIso(firstAt) ?? null,
    latestAt: toIso(latestAt) ?? null,
    others,
  }
}

function figuresOf(counts: readonly number[], counted: CountedPeriod): Tallies['none'] {
  const { count, isWhole, compared } = countPeriod(counted, counts, 'week')
  const perDay = countsOf(counted, counted.days, counts)
  return {
    counts: counted.days.map(({ coverage }, at) => knownCount(coverage, perDay[at])),
    week: count !== null && isWhole ? { count, compared } : null,
  }
}
