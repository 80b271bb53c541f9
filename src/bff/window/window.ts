import type { FeedBounds } from '#bff/time/time-range.ts'
import { countDays, type DayCounts, type DayQuestion } from '#bff/window/index/count-days.ts'
import type { IndexRows } from '#bff/window/index/index-rows.ts'
import { facetsOf, pageOf, selectRows } from '#bff/window/index/select-rows.ts'
import { createWindowIndex, type WindowIndexOptions } from '#bff/window/index/window-index.ts'
import { findThreat, readThreats, type WindowPlace } from '#bff/window/store/threat-queries.ts'
import type { Reach } from '#bff/window/sync/reach.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { WindowState } from '#contract/bff/source.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter, ThreatList, ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { describeQuestion, parseQuestion } from '#matcher/question.ts'
import { createTriageMarks } from './triage-marks.ts'
import { coveredPart, isWhole, reaches, windowFreshness } from './window-freshness.ts'

const PAGE_LIMIT = 50
const UNBOUNDED: FeedBounds = { start: null, end: null }

export type WindowPage = {
  answer: Omit<ThreatList, 'nextCursor'>
  next: WindowPlace | null
  freshForMs: number
}

/** Bounds of the stored time, ISO 8601 UTC, and how long an answer about it may be given again. */
export type StoredRange = {
  from: string
  to: string
  isComplete: boolean
  freshness: Freshness
  freshForMs: number
}

export type Window = {
  /** Null where only the vendor can answer. */
  list(query: ThreatListQuery, bounds: FeedBounds, after: WindowPlace | null): Promise<WindowPage | null>
  /** How many threats that a filter matches each day holds; null while nothing is stored. */
  countDays(filter: ThreatFilter, bounds: FeedBounds, days: DayQuestion): Promise<DayCounts | null>
  /** The time that is stored without a gap; null while nothing is. */
  storedRange(): Promise<StoredRange | null>
  /** The records themselves, for questions of another kind than the feed's; null while nothing is stored. */
  indexRows(): Promise<IndexRows | null>
  /** Whether nothing is stored. */
  isEmpty(): Promise<boolean>
  /** The newest threats that a filter matches; null while nothing is stored. */
  newest(filter: ThreatFilter, limit: number): Promise<Threat[] | null>
  /** One threat as the list told it; null where it is not stored. */
  find(id: string, set: RouteSet | null): Promise<{ threat: Threat; freshness: Freshness } | null>
  state(): Promise<WindowState>
  /** What is stored has changed. */
  forget(): void
}

/** Answers from what the reader keeps, at no call. Another source's records are never shown. */
export function createWindow(options: WindowIndexOptions): Window {
  const { database, clock } = options
  const index = createWindowIndex(options)
  const marks = createTriageMarks(database)
  const acceptsOf = async ({ triage }: ThreatFilter) => (triage ? marks(triage) : undefined)

  /** Where the last 30 days hold nothing at all, a reader is better served by what is older. */
  async function current() {
    const { reach, rows, trouble } = await index.current()
    return reach && rows.count > 0 ? { reach, rows, trouble } : null
  }

  const freshnessOf = (reach: Reach, trouble: string | null) =>
    windowFreshness(reach, { trouble, nowMs: clock.nowMs() })

  return {
    async list(query, bounds, after) {
      const found = await current()
      if (!found) return null
      const { reach, rows, trouble } = found
      if ((query.set && query.set !== reach.set) || !reaches(reach, bounds, clock.nowMs())) return null
      const question = parseQuestion(query.q ?? '')
      const selection = selectRows(rows, { filter: query, bounds, question, accepts: await acceptsOf(query) })
      const page = pageOf(rows, selection, { after, limit: PAGE_LIMIT })
      const { freshness, freshForMs } = freshnessOf(reach, trouble)
      return {
        answer: {
          threats: await readThreats(database, page.ids),
          total: selection.matched.length,
          // What is still to be read may match as well.
          isTotalExact: isWhole(reach),
          answeredBy: 'window',
          facets: facetsOf(rows, selection),
          understoodAs: query.q === undefined ? null : describeQuestion(question),
          unreadable: 0,
          freshness: { ...freshness, covers: coveredPart(reach, bounds) },
        },
        next: page.next,
        // The team may do something at any moment.
        freshForMs: query.triage ? 0 : freshForMs,
      }
    },

    async countDays(filter, bounds, days) {
      const found = await current()
      if (!found) return null
      const question = parseQuestion(filter.q ?? '')
      const selection = selectRows(found.rows, { filter, bounds, question, accepts: await acceptsOf(filter) })
      return countDays(found.rows, selection, days)
    },

    async storedRange() {
      const found = await current()
      if (!found) return null
      const { heldFrom: from, heldTo: to, isComplete } = found.reach
      return { from, to, isComplete, ...freshnessOf(found.reach, found.trouble) }
    },

    indexRows: async () => (await current())?.rows ?? null,

    isEmpty: async () => (await current()) === null,

    async newest(filter, limit) {
      const found = await current()
      if (!found) return null
      const question = parseQuestion(filter.q ?? '')
      const accepts = await acceptsOf(filter)
      const selection = selectRows(found.rows, { filter, bounds: UNBOUNDED, question, accepts })
      return readThreats(database, pageOf(found.rows, selection, { after: null, limit }).ids)
    },

    async find(id, set) {
      const found = await current()
      if (!found || (set && set !== found.reach.set)) return null
      const threat = await findThreat(database, id)
      return threat && { threat, freshness: freshnessOf(found.reach, found.trouble).freshness }
    },

    async state() {
      const { reach, rows, trouble } = await index.current()
      if (!reach || rows.count === 0)
        return { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble }
      return {
        status: reach.isComplete ? 'complete' : 'filling',
        from: reach.heldFrom,
        to: reach.heldTo,
        threats: rows.count,
        lastReadAt: reach.lastReadAt,
        trouble: freshnessOf(reach, trouble).freshness.staleReason,
      }
    },

    forget: () => index.forget(),
  }
}
