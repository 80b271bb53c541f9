import { LRUCache } from 'lru-cache'
import { markFullTexts } from '#bff/store/full-text/mark-full-texts.ts'
import { withHistory } from '#bff/store/history/history-ranges.ts'
import type { ListCursor } from '#bff/store/index/arrange-rows.ts'
import { collapseRows } from '#bff/store/index/collapse-rows.ts'
import { countDays, type DayCountRequest, type DayCounts } from '#bff/store/index/count-days.ts'
import type { Selector } from '#bff/store/index/filter-rows.ts'
import { findLeaves } from '#bff/store/index/find-by-query.ts'
import { prepareMarks } from '#bff/store/index/find-marked.ts'
import {
  createDictionaries,
  type IndexRows,
  isDatedByDay,
  type RowFacts,
  toRows,
} from '#bff/store/index/index-rows.ts'
import {
  countUndated,
  facetsOf,
  findValues,
  matchRows,
  partialFieldsOf,
  readPage,
  type Selection,
  selectRows,
  UNBOUNDED,
  valuesInUse,
} from '#bff/store/index/select-rows.ts'
import { createThreatIndex, type IndexedState, type IndexState } from '#bff/store/index/threat-index.ts'
import { createRecordCache, findThreat } from '#bff/store/records/threat-queries.ts'
import type { Clock } from '#bff/time/clock.ts'
import { coverageOf, type StoredTime } from '#bff/time/coverage.ts'
import { type HistoryLimits, startOfHistory } from '#bff/time/history-limits.ts'
import { type FeedBounds, feedBounds, toIso } from '#bff/time/time-range.ts'
import type { Timed } from '#bff/upstream/cache/cached-answer.ts'
import type { Grouping, RowKind } from '#contract/bff/arrangement.ts'
import type { ConditionAnswer, ConditionQuery } from '#contract/bff/condition.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { StoreState } from '#contract/bff/source.ts'
import type { Threat } from '#contract/bff/threat.ts'
import {
  FACET_NAMES,
  type FacetAnswer,
  type FacetName,
  type FacetQuery,
  type GroupAnswer,
  type GroupQuery,
  type ThreatList,
  type ThreatListQuery,
} from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import type { FieldNode, WordNode } from '#matcher/query/query-tree.ts'
import { countConditions } from './count-conditions.ts'
import { readGroups, readListPage, type ThreatSnapshot, takeSnapshot } from './list-page.ts'
import { type ReadableFilter, readFilter, type StoreFilter } from './read-filter.ts'
import { type ByAuthor, freshForMsOf, type SearchContext, type SearchScope } from './read-search.ts'
import {
  checkedPart,
  isExact,
  isRead,
  knowsRecords,
  storedTimeOf,
  storeFreshness,
  unreadFreshness,
} from './store-freshness.ts'
import { createTeamMarks } from './team-marks.ts'

/** Cached selections hold at most this many rows and terms together. */
const SELECTED_MAX_COUNT = 4_000_000

export type StoredPage = {
  answer: Omit<ThreatList, 'nextCursor'>
  next: ListCursor | null
  freshForMs: number | undefined
}

/** The stored time (bounds in ISO 8601 UTC), and how long an answer about it may be cached. */
export type StoredRange = {
  time: StoredTime
  from: string
  to: string
  /** True if records have a date without a time of day. */
  isDatedByDay: boolean
  freshness: Freshness
  freshForMs: number
}

export type MatchedRecord = { id: string; leaves: readonly (WordNode | FieldNode)[] }

export type ThreatStoreOptions = {
  database: Database
  clock: Clock
  /** Identifies the vendor's address. */
  source: string
  limits: HistoryLimits
  /** Without it, a search can name neither profiles nor lists. */
  searchContext?: SearchContext
}

/**
 * Answers from stored records, without an API call. Lists are empty while nothing is stored. Records of another vendor
 * address are never shown.
 */
export function createThreatStore({
  database,
  clock,
  source,
  limits,
  searchContext = { clock },
}: ThreatStoreOptions) {
  const index = createThreatIndex({ database, clock, source })
  const records = createRecordCache(database)
  const team = createTeamMarks(database)
  const search = { searchContext, team }

  async function readIndex(): Promise<IndexState> {
    const state = await index.current()
    if (state.sync) records.keepUp(state.sync.revision)
    const isKnown = state.sync !== null && knowsRecords(state.sync, state.rows.count)
    return isKnown ? state : { ...state, sync: null }
  }

  /** Parses a filter and prepares the rows and columns that it tests. */
  async function read(filter: StoreFilter, bounds: FeedBounds) {
    const readable = await readFilter(search, filter, bounds)
    const state = await readIndex()
    if (readable.team) await prepareMarks(state.rows, readable.team)
    return { ...readable, ...state }
  }

  /** Finds the rows that match a filter. Throws if a part of the filter has no meaning. */
  async function select(filter: StoreFilter, bounds: FeedBounds) {
    const { selector, ...readable } = await read(filter, bounds)
    const isLasting = filter.q === undefined && readable.scope === 'records'
    const selection = isLasting
      ? recallSelection(readable.rows, selector, filter.keywords)
      : selectRows(readable.rows, selector)
    return { ...readable, selector, selection }
  }

  function timeOf(sync: IndexedState, history: IndexState['history']): StoredTime {
    const keptFrom = Date.parse(startOfHistory(limits, clock.nowMs()))
    return withHistory(storedTimeOf(sync), history, keptFrom)
  }

  function freshnessOf({ sync, ...state }: Omit<IndexState, 'rows'>): {
    freshness: Freshness
    freshForMs: number
  } {
    const nowMs = clock.nowMs()
    const { trouble } = state
    if (sync) return storeFreshness(sync, { trouble, nowMs, time: timeOf(sync, state.history) })
    const unread = unreadFreshness(nowMs)
    return { freshness: { ...unread, staleReason: trouble ?? unread.staleReason }, freshForMs: 0 }
  }

  /** Adds to a count of stored threats whether all threats of its time are stored. */
  function timed<Counted>(
    counted: Counted,
    { scope, selector: { bounds }, ...state }: ReadableFilter & Omit<IndexState, 'rows'>,
  ) {
    const { sync } = state
    const isAllRead =
      sync && isRead(sync, { bounds, time: timeOf(sync, state.history), nowMs: clock.nowMs() })
    return {
      answer: { ...counted, isExact: isAllRead ?? false },
      freshForMs: freshForMsOf(scope, freshnessOf(state).freshForMs),
    }
  }

  return {
    async list(
      query: ThreatListQuery & ByAuthor,
      bounds: FeedBounds,
      after: ListCursor | null,
    ): Promise<StoredPage> {
      const { rows, selection, selector, understoodAs, scope, ...state } = await select(query, bounds)
      const { sync } = state
      const time = sync && timeOf(sync, state.history)
      const nowMs = clock.nowMs()
      const cases = query.rows === 'cases' ? state.cases : null
      const { page, next } = await readListPage(
        { rows, selection, cases, readRecords: records.read, team },
        query,
        after,
      )
      const listed = cases ? collapseRows(selection, cases, null) : selection
      const readable = query.within === 'undated' ? UNBOUNDED : selector.bounds
      const { freshness, freshForMs } = freshnessOf(state)
      return {
        answer: {
          ...page,
          threats: markFullTexts(page.threats, { rows, matched: selection.matched, query: selector.query }),
          total: selection.matched.length,
          ...(cases && { cases: listed.matched.length }),
          // Unread records may match as well, and records that were not compared may be withdrawn.
          isTotalExact: sync !== null && time !== null && isExact(sync, { bounds: readable, time, nowMs }),
          facets: facetsOf(rows, selection),
          understoodAs,
          undated: countUndated(rows, listed),
          partialFields: partialFieldsOf(rows, selector),
          freshness: {
            ...freshness,
            ...(sync && checkedPart(sync, readable.start)),
            ...(time && { coverage: coverageOf(time, readable, nowMs) }),
          },
        },
        next,
        freshForMs: freshForMsOf(
          scope === 'records' && (query.sort === 'activity' || query.sort === 'due') ? 'team' : scope,
          freshForMs,
        ),
      }
    },

    async groups(
      name: Grouping,
      query: GroupQuery & ByAuthor,
      bounds: FeedBounds,
    ): Promise<Timed<GroupAnswer>> {
      const { rows, selection, ...rest } = await select(query, bounds)
      const cases = query.rows === 'cases' ? rest.cases : null
      const groups = await readGroups(
        { rows, selection, cases, readRecords: records.read, team },
        name,
        query,
      )
      return timed(groups, rest)
    },

    /** Lists the values of a facet that contain a text, by their frequency within the other filters. */
    async facet(
      name: FacetName,
      query: FacetQuery & ByAuthor,
      bounds: FeedBounds,
    ): Promise<Timed<FacetAnswer>> {
      const { rows, selection, ...rest } = await select(query, bounds)
      const values = findValues(rows, selection, { name, text: query.text ?? '' })
      return timed(values, rest)
    },

    /** Counts the threats that each filter, and each part of the search, matches alone. */
    async conditions(query: ConditionQuery & ByAuthor, bounds: FeedBounds): Promise<Timed<ConditionAnswer>> {
      const { rows, ...rest } = await select(query, bounds)
      const countOf = async (filter: ConditionQuery) => {
        const own = { ...filter, author: query.author }
        const { selector } = await readFilter(search, own, feedBounds(filter, clock.nowMs()))
        return matchRows(rows, selector).length
      }
      const counted = await countConditions(query, { rows, countOf })
      return timed(counted, rest)
    },

    /** Counts the matching threats of each day. With `rows=cases`, it counts their cases as well. */
    async countDays(
      filter: StoreFilter & { rows?: RowKind | undefined },
      bounds: FeedBounds,
      days: DayCountRequest,
    ): Promise<DayCounts & { scope: SearchScope }> {
      const { selector, scope, rows, cases } = await read(filter, bounds)
      return { ...countDays(rows, selector, days, filter.rows === 'cases' ? cases : null), scope }
    },

    /** Returns the stored time, and how records were checked from `start` on. Null if nothing is stored. */
    async storedRange(start: number | null = null): Promise<StoredRange | null> {
      const { rows, ...state } = await readIndex()
      if (!state.sync) return null
      const { storedFrom: from, storedTo: to } = state.sync
      const { freshness, freshForMs } = freshnessOf(state)
      return {
        time: timeOf(state.sync, state.history),
        from,
        to,
        isDatedByDay: isDatedByDay(rows),
        freshness: { ...freshness, ...checkedPart(state.sync, start) },
        freshForMs,
      }
    },

    /** Returns the age of the stored records, or the reason why nothing is stored. */
    async freshness(): Promise<Freshness> {
      return freshnessOf(await readIndex()).freshness
    },

    /** Gives access to the indexed records, for queries other than the feed's. */
    indexed: readIndex,

    select,

    /** The snapshot includes the threats of closed groups. */
    async snapshot(query: ThreatListQuery & ByAuthor, bounds: FeedBounds): Promise<ThreatSnapshot> {
      const { rows, selection } = await select(query, bounds)
      async function readRecords(ids: readonly string[]) {
        // Without this check, a client could take the records that were read so far for the whole list.
        if (!(await readIndex()).sync) throw new Error('The store was emptied meanwhile')
        return records.read(ids)
      }
      return takeSnapshot({ rows, selection, readRecords, team }, query)
    },

    /** Returns the newest threats that match a filter. */
    async newest(filter: StoreFilter, limit: number, bounds: FeedBounds = UNBOUNDED): Promise<Threat[]> {
      // Marks are looked up per row here, because few rows are read.
      const { selector } = await readFilter(search, filter, bounds)
      const { rows } = await readIndex()
      return records.read(readPage(rows, selector, { after: null, limit }).ids)
    },

    /**
     * Returns which records a filter matches, by the same test as the feed's rows, and by which words and fields. Throws if
     * a part of the filter has no meaning.
     */
    async matchFacts(
      filter: StoreFilter,
      bounds: FeedBounds,
      facts: readonly RowFacts[],
    ): Promise<MatchedRecord[]> {
      const rows = toRows(createDictionaries(), facts)
      const { selector } = await readFilter(search, filter, bounds)
      const found = selector.query ? findLeaves(rows, selector.query) : []
      return Array.from(matchRows(rows, selector), (row) => ({
        id: rows.ids[row] ?? '',
        leaves: found.filter((one) => one.rows.has(row)).map(({ leaf }) => leaf),
      }))
    },

    /** Lists the values of a facet that stored threats have, the most frequent first. */
    values: async (name: FacetName): Promise<string[]> => valuesInUse((await readIndex()).rows, name),

    /** Reads one threat as the list reported it; null if it is not stored. */
    async find(id: string, set: RouteSet | null): Promise<{ threat: Threat; freshness: Freshness } | null> {
      const { rows: _rows, ...state } = await readIndex()
      const threat = state.sync && (await findThreat(database, id))
      if (!threat || (set && set !== threat.set)) return null
      return { threat, freshness: freshnessOf(state).freshness }
    },

    async state(): Promise<StoreState> {
      const { rows, ...state } = await readIndex()
      const { sync, trouble } = state
      const time = sync && timeOf(sync, state.history)
      if (!sync || !time)
        return { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble }
      const { missing, staleReason } = freshnessOf(state).freshness
      const { beyond, ranges } = time
      return {
        status: sync.status === 'filling' ? 'filling' : missing ? 'partial' : 'complete',
        ...(missing && { missing }),
        ...(beyond !== 'endOfList' && { beyond }),
        from: toIso(ranges.at(0)?.from ?? null) ?? sync.storedFrom,
        to: sync.storedTo,
        threats: rows.count,
        lastReadAt: sync.lastReadAt,
        trouble: staleReason,
      }
    },

    /** Returns true if pages can be read while the database is away. */
    isInMemory: () => index.isLoaded(),

    /** Called when what is stored has changed. */
    forget: () => index.forget(),
  }
}

export type ThreatStore = ReturnType<typeof createThreatStore>

/**
 * Filters that mean the same share a selection until other records are stored: all pages count the same alert profiles.
 */
const selections = new WeakMap<IndexRows, LRUCache<string, Selection>>()

function recallSelection(
  rows: IndexRows,
  selector: Selector,
  keywords: readonly string[] | undefined,
): Selection {
  const known =
    selections.get(rows) ??
    new LRUCache<string, Selection>({
      maxSize: SELECTED_MAX_COUNT,
      sizeCalculation: ({ matched, termCounts }) => 1 + matched.length + termCounts.length,
    })
  selections.set(rows, known)
  const key = JSON.stringify([selector.bounds, keywords, FACET_NAMES.map((name) => selector.filter[name])])
  const found = known.get(key)
  if (found) return found
  const { matched, termCounts } = selectRows(rows, selector)
  // The buffers are as large as all rows of the time, so they are copied.
  const selection = { matched: matched.slice(), termCounts }
  known.set(key, selection)
  return selection
}
