import type { Clock } from '#bff/time/clock.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { perGeneration } from '#bff/vendor/generation.ts'
import { countDays, type DayCountRequest, type DayCounts } from '#bff/window/index/count-days.ts'
import type { IndexRows } from '#bff/window/index/index-rows.ts'
import {
  facetsOf,
  type KeysetCursor,
  type PageRequest,
  pageOf,
  readPage,
  type Selector,
  selectRows,
  UNBOUNDED,
} from '#bff/window/index/select-rows.ts'
import { createWindowIndex } from '#bff/window/index/window-index.ts'
import { findThreat, readThreats } from '#bff/window/store/threat-queries.ts'
import { type Marked, readMarked, readRevision } from '#bff/window/store/triage-queries.ts'
import type { StoredState } from '#bff/window/sync/sync-state.ts'
import { acceptsTriage } from '#contract/bff/accepts-triage.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { WindowState } from '#contract/bff/source.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter, ThreatList, ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { describeSearch, parseSearch } from '#matcher/search-query.ts'
import { coveredPart, isWhole, reaches, windowFreshness } from './window-freshness.ts'

const PAGE_LIMIT = 50

export type WindowPage = {
  answer: Omit<ThreatList, 'nextCursor'>
  next: KeysetCursor | null
  freshForMs: number
}

export type ThreatPage = { threats: Threat[]; next: KeysetCursor | null }

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
  list(query: ThreatListQuery, bounds: FeedBounds, after: KeysetCursor | null): Promise<WindowPage | null>
  /** How many threats that a filter matches each day holds; null while nothing is stored. */
  countDays(filter: ThreatFilter, bounds: FeedBounds, days: DayCountRequest): Promise<DayCounts | null>
  /** The time that is stored without a gap; null while nothing is. */
  storedRange(): Promise<StoredRange | null>
  /** The records themselves, for queries of another kind than the feed's; null while nothing is stored. */
  indexRows(): Promise<IndexRows | null>
  /** Whether nothing is stored. */
  isEmpty(): Promise<boolean>
  /** How many threats a filter matches; null while nothing is stored. */
  count(filter: ThreatFilter, bounds: FeedBounds): Promise<number | null>
  /** The threats that a filter matches after a cursor, without those that are gone by now; null while nothing is stored. */
  page(filter: ThreatFilter, bounds: FeedBounds, request: PageRequest): Promise<ThreatPage | null>
  /** The newest threats that a filter matches; null while nothing is stored. */
  newest(filter: ThreatFilter, limit: number): Promise<Threat[] | null>
  /** One threat as the list reported it; null where it is not stored. */
  find(id: string, set: RouteSet | null): Promise<{ threat: Threat; freshness: Freshness } | null>
  state(): Promise<WindowState>
  /** Called when what is stored has changed. */
  forget(): void
}

export type WindowOptions = {
  database: Database
  clock: Clock
  /** A name for the vendor's address and its keys, as they are now. */
  source: () => string
}

/** Answers from what the sync has stored, free. Another source's records are never shown. */
export function createWindow({ database, clock, source }: WindowOptions): Window {
  const index = perGeneration(source, (name) => createWindowIndex({ database, clock, source: name }))
  const marks = createTriageMarks(database)
  async function selectorOf(filter: ThreatFilter, bounds: FeedBounds): Promise<Selector> {
    return { filter, bounds, accepts: filter.triage && (await marks(filter.triage)) }
  }

  /** Where the last 30 days hold nothing at all, a reader is better served by what is older. */
  async function current() {
    const { sync, rows, trouble } = await index().current()
    return sync && rows.count > 0 ? { sync, rows, trouble } : null
  }

  const freshnessOf = (sync: StoredState, trouble: string | null) =>
    windowFreshness(sync, { trouble, nowMs: clock.nowMs() })

  async function page(
    filter: ThreatFilter,
    bounds: FeedBounds,
    request: PageRequest,
  ): Promise<ThreatPage | null> {
    const found = await current()
    if (!found) return null
    const { ids, next } = readPage(found.rows, await selectorOf(filter, bounds), request)
    return { threats: await readThreats(database, ids), next }
  }

  return {
    async list(query, bounds, after) {
      const found = await current()
      if (!found) return null
      const { sync, rows, trouble } = found
      if ((query.set && query.set !== sync.set) || !reaches(sync, bounds, clock.nowMs())) return null
      const selection = selectRows(rows, await selectorOf(query, bounds))
      const page = pageOf(rows, selection, { after, limit: PAGE_LIMIT })
      const { freshness, freshForMs } = freshnessOf(sync, trouble)
      return {
        answer: {
          threats: await readThreats(database, page.ids),
          total: selection.matched.length,
          // What is still to be read may match as well.
          isTotalExact: isWhole(sync),
          answeredBy: 'window',
          facets: facetsOf(rows, selection),
          understoodAs: query.q === undefined ? null : describeSearch(parseSearch(query.q)),
          unreadable: 0,
          freshness: { ...freshness, covers: coveredPart(sync, bounds) },
        },
        next: page.next,
        // The team may do something at any moment.
        freshForMs: query.triage ? 0 : freshForMs,
      }
    },

    async countDays(filter, bounds, days) {
      const found = await current()
      if (!found) return null
      const { matched } = selectRows(found.rows, await selectorOf(filter, bounds))
      return countDays(found.rows, matched, days)
    },

    async storedRange() {
      const found = await current()
      if (!found) return null
      const { storedFrom: from, storedTo: to, status } = found.sync
      return { from, to, isComplete: status !== 'filling', ...freshnessOf(found.sync, found.trouble) }
    },

    indexRows: async () => (await current())?.rows ?? null,

    isEmpty: async () => (await current()) === null,

    async count(filter, bounds) {
      const found = await current()
      return found && selectRows(found.rows, await selectorOf(filter, bounds)).matched.length
    },

    page,

    newest: async (filter, limit) => (await page(filter, UNBOUNDED, { after: null, limit }))?.threats ?? null,

    async find(id, set) {
      const found = await current()
      if (!found || (set && set !== found.sync.set)) return null
      const threat = await findThreat(database, id)
      return threat && { threat, freshness: freshnessOf(found.sync, found.trouble).freshness }
    },

    async state() {
      const { sync, rows, trouble } = await index().current()
      if (!sync || rows.count === 0)
        return { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble }
      return {
        status: sync.status === 'filling' ? 'filling' : 'complete',
        from: sync.storedFrom,
        to: sync.storedTo,
        threats: rows.count,
        lastReadAt: sync.lastReadAt,
        trouble: freshnessOf(sync, trouble).freshness.staleReason,
      }
    },

    forget: () => index().forget(),
  }
}

type Marks = { revision: number; byId: ReadonlyMap<string, Marked> }

/** Gives which threats a filter accepts by their triage: read again once anybody has done anything. */
function createTriageMarks(database: Database) {
  let known: Marks | null = null
  return async (filter: TriageFilter): Promise<(id: string) => boolean> => {
    const revision = await readRevision(database)
    const marks =
      known?.revision === revision
        ? known
        : { revision, byId: new Map((await readMarked(database)).map((marked) => [marked.id, marked])) }
    known = marks
    return (id) => acceptsTriage(filter, marks.byId.get(id))
  }
}
