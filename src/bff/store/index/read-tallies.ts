import { LRUCache } from 'lru-cache'
import { countVictims } from '#bff/store/records/victim-queries.ts'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { toIso } from '#bff/time/time-range.ts'
import { countPeriod, countsOfDays, lastMonth, type Month, toTrendDay } from '#bff/time/trend-days.ts'
import type { Comparison } from '#contract/bff/comparison.ts'
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
  /** With the same part of the 30 days before; null unless all of both is stored. */
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
export type ReadTallies = (name: TallyName, timeZone: string) => Promise<Tallies>

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

/** Of actors and countries, each in the zones of a team: one more than these, and each question counts anew. */
const KEPT_MAX_COUNT = 32

type Dependencies = {
  database: Database
  store: Pick<ThreatStore, 'storedRange' | 'indexRows'>
  clock: Clock
}
type Counted = Pick<Tallies, 'byTerm' | 'countVictims'>

/** Counts all actors or countries of the window at once: searches, tabs and pages of one are looked up in the same tallies. */
export function createReadTallies({ database, store, clock }: Dependencies): ReadTallies {
  // What was counted in rows holds for as long as there are no others.
  const kept = new WeakMap<IndexRows, LRUCache<string, Counted>>()

  return async (name, timeZone) => {
    const [stored, rows] = await Promise.all([store.storedRange(), store.indexRows()])
    const nowMs = clock.nowMs()
    const month = lastMonth(timeZone, nowMs, stored)

    function count(rows: IndexRows): Counted {
      const { matched } = selectRows(rows, { filter: {}, bounds: UNBOUNDED })
      const found = countTerms(rows, matched, {
        name,
        others: OTHERS[name],
        starts: month.edges,
        othersFrom: month.firstPiece,
      })
      let victims: Promise<ReadonlyMap<string, number>> | undefined
      return {
        byTerm: new Map([...found].map(([term, counts]) => [term, toTally(counts, month)])),
        countVictims() {
          victims ??= countVictims(database, name, month.bounds)
          victims.catch(() => {
            victims = undefined
          })
          return victims
        },
      }
    }

    const known = (rows && kept.get(rows)) ?? new LRUCache<string, Counted>({ max: KEPT_MAX_COUNT })
    const key = JSON.stringify([name, timeZone, month.all, month.edges])
    const counted = known.get(key) ?? (rows && count(rows))
    if (rows && counted) {
      known.set(key, counted)
      kept.set(rows, known)
    }
    return {
      stored: rows && stored,
      days: month.coverage,
      weekStartsAt: month.parts.week.since,
      none: figuresOf([], month),
      byTerm: counted?.byTerm ?? new Map(),
      countVictims: counted?.countVictims ?? (async () => new Map()),
    }
  }
}

function toTally({ value, firstAt, latestAt, counts, others }: TermCounts, month: Month): Tally {
  const { count, compared } = countPeriod(month, counts)
  return {
    value,
    count,
    compared,
    ...figuresOf(counts, month),
    firstAt: toIso(firstAt) ?? null,
    latestAt: toIso(latestAt) ?? null,
    others,
  }
}

function figuresOf(counts: readonly number[], month: Month): Tallies['none'] {
  const { count, isWhole, compared } = countPeriod(month, counts, 'week')
  const perDay = countsOfDays(month, counts).slice(TREND_DAYS)
  return {
    counts: month.days.map((day, at) => toTrendDay(day, perDay[at]).count),
    week: count !== null && isWhole ? { count, compared } : null,
  }
}
