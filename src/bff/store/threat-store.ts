import { markFullTexts } from '#bff/store/full-text/mark-full-texts.ts'
import type { ListCursor } from '#bff/store/index/arrange-rows.ts'
import { countDays, type DayCountRequest, type DayCounts } from '#bff/store/index/count-days.ts'
import { isDatedByDay } from '#bff/store/index/dated-by-day.ts'
import { saidParts } from '#bff/store/index/find-by-query.ts'
import { createDictionaries, type IndexRows, type RowFacts, toRows } from '#bff/store/index/index-rows.ts'
import {
  countUndated,
  facetsOf,
  findValues,
  readPage,
  selectRows,
  UNBOUNDED,
} from '#bff/store/index/select-rows.ts'
import { createWindowIndex } from '#bff/store/index/window-index.ts'
import { createWindowRecords, findThreat } from '#bff/store/records/threat-queries.ts'
import type { StoredState } from '#bff/store/sync/sync-state.ts'
import type { Clock } from '#bff/time/clock.ts'
import { coverageOf, type StoredTime } from '#bff/time/coverage.ts'
import { type FeedBounds, feedBounds } from '#bff/time/time-range.ts'
import type { Timed } from '#bff/vendor/cache/cached-answer.ts'
import { perGeneration } from '#bff/vendor/generation.ts'
import type { Grouping } from '#contract/bff/arrangement.ts'
import type { ConditionAnswer, ConditionQuery } from '#contract/bff/condition.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { WindowState } from '#contract/bff/source.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type {
  FacetAnswer,
  FacetName,
  FacetQuery,
  GroupAnswer,
  GroupQuery,
  ThreatFilter,
  ThreatList,
  ThreatListQuery,
} from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { countConditions } from './count-conditions.ts'
import { readGroups, readListPage, type ThreatSnapshot, takeSnapshot } from './list-page.ts'
import { createReadFilter, type WindowFilter } from './read-filter.ts'
import { createReadOrder } from './read-order.ts'
import { createReadSearch, type ReadSearch } from './read-search.ts'
import { type AskedPart, countUndecided, requireSaidOf, unsaidOf } from './require-said.ts'
import { createTeamMarks } from './team-marks.ts'
import { checkedPart, isExact, isWhole, reaches, storedTimeOf, windowFreshness } from './window-freshness.ts'

export type WindowPage = {
  answer: Omit<ThreatList, 'nextCursor'>
  next: ListCursor | null
  freshForMs: number
}

/** The stored time, its bounds in ISO 8601 UTC, and how long an answer about it may be given again. */
export type StoredRange = {
  time: StoredTime
  from: string
  to: string
  /** Records have a date and no time of day. */
  isDatedByDay: boolean
  freshness: Freshness
  freshForMs: number
}

/** Of how many threats nobody can know whether they match, too. */
export type WindowSnapshot = ThreatSnapshot & { undecided: number }

export type ThreatStore = {
  /** Null where only the vendor can answer. */
  list(query: ThreatListQuery, bounds: FeedBounds, after: ListCursor | null): Promise<WindowPage | null>
  /** The values of one name that hold a text, by how often they occur beside the other filters. */
  facet(name: FacetName, query: FacetQuery, bounds: FeedBounds): Promise<Timed<FacetAnswer>>
  groups(name: Grouping, query: GroupQuery, bounds: FeedBounds): Promise<Timed<GroupAnswer>>
  /** How many threats each filter, and each part of the search, matches alone. */
  conditions(query: ConditionQuery, bounds: FeedBounds): Promise<Timed<ConditionAnswer>>
  /** How many threats that a filter matches each day holds; null while nothing is stored. */
  countDays(filter: WindowFilter, bounds: FeedBounds, days: DayCountRequest): Promise<DayCounts | null>
  /** The time that is stored, and how records from a time on were checked; null while nothing is. */
  storedRange(start?: number | null): Promise<StoredRange | null>
  /** The records themselves, for queries of another kind than the feed's; null while nothing is stored. */
  indexRows(): Promise<IndexRows | null>
  /** Whether nothing is stored. */
  isEmpty(): Promise<boolean>
  /** With the threats of closed groups; null while nothing is stored. */
  snapshot(query: ThreatListQuery, bounds: FeedBounds): Promise<WindowSnapshot | null>
  /** The newest threats that a filter matches; null while nothing is stored. */
  newest(filter: WindowFilter, limit: number, bounds?: FeedBounds): Promise<Threat[] | null>
  /**
   * Which of some records a filter matches, by the same test as the feed's rows. Throws where a part of the filter has no
   * meaning.
   */
  matchFacts(filter: WindowFilter, bounds: FeedBounds, facts: readonly RowFacts[]): Promise<string[]>
  /**
   * Of what a filter asks for and the stored threats' lists do not say: parts of which none does, and of how many threats
   * nobody can know for it whether they match. Throws where a part of the filter has no meaning.
   */
  findUnsaid(filter: WindowFilter, bounds: FeedBounds): Promise<{ unsaid: AskedPart[]; undecided: number }>
  /** One threat as the list reported it; null where it is not stored. */
  find(id: string, set: RouteSet | null): Promise<{ threat: Threat; freshness: Freshness } | null>
  state(): Promise<WindowState>
  /** Whether pages can be read while the database is away. */
  isInMemory(): boolean
  /** Called when what is stored has changed. */
  forget(): void
}

export type ThreatStoreOptions = {
  database: Database
  clock: Clock
  /** A name for the vendor's address and its keys, as they are now. */
  source: () => string
  readSearch?: ReadSearch
}

/** Answers from what the sync has stored, free. Another source's records are never shown. */
export function createThreatStore({
  database,
  clock,
  source,
  readSearch = createReadSearch({ clock }),
}: ThreatStoreOptions): ThreatStore {
  const index = perGeneration(source, (name) => createWindowIndex({ database, clock, source: name }))
  const records = perGeneration(source, () => createWindowRecords(database))
  const team = createTeamMarks(database)
  const readFilter = createReadFilter({ readSearch, team })
  const readOrder = createReadOrder(team)

  async function readIndex() {
    const state = await index().current()
    if (state.sync) records().keepUp(state.sync.revision)
    return state
  }

  async function current() {
    const { sync, rows, trouble } = await readIndex()
    return sync && canAnswer(sync, rows) ? { sync, rows, trouble } : null
  }

  /** Null where only the vendor can answer. */
  async function currentFor({ set }: ThreatFilter, bounds: FeedBounds) {
    const found = await current()
    const isOther = found && set && set !== found.sync.set
    return found && !isOther && reaches(found.sync, bounds, clock.nowMs()) ? found : null
  }

  const freshnessOf = (sync: StoredState, trouble: string | null) =>
    windowFreshness(sync, { trouble, nowMs: clock.nowMs() })

  return {
    async list(query, bounds, after) {
      const { selector, understoodAs, isOfTeam } = await readFilter(query, bounds)
      const found = await currentFor(query, selector.bounds)
      if (!found) return null
      const { sync, rows, trouble } = found
      const selection = selectRows(rows, requireSaidOf(rows, selector))
      const selected = { rows, selection, records: records(), readOrder }
      const { page, next } = await readListPage(selected, query, after)
      const asked = query.within === 'undated' ? UNBOUNDED : selector.bounds
      const { freshness, freshForMs } = freshnessOf(sync, trouble)
      return {
        answer: {
          ...page,
          threats: markFullTexts(page.threats, { rows, query: selector.query }),
          total: selection.matched.length,
          // What is still to be read may match as well, and what was not compared may be withdrawn.
          isTotalExact: isExact(sync, asked.start),
          answeredBy: 'window',
          facets: facetsOf(rows, selection),
          understoodAs,
          unreadable: 0,
          undated: countUndated(rows, selection),
          undecided: countUndecided(rows, selector),
          freshness: {
            ...freshness,
            ...checkedPart(sync, asked.start),
            coverage: coverageOf(storedTimeOf(sync), asked, clock.nowMs()),
          },
        },
        next,
        // The team may do something at any moment.
        freshForMs: isOfTeam || query.sort === 'activity' ? 0 : freshForMs,
      }
    },

    async groups(name, query, bounds) {
      const { selector, isOfTeam } = await readFilter(query, bounds)
      const found = await currentFor(query, selector.bounds)
      if (!found) return { answer: { groups: null, more: 0, isExact: false }, freshForMs: 0 }
      const { sync, rows, trouble } = found
      const selected = {
        rows,
        selection: selectRows(rows, requireSaidOf(rows, selector)),
        records: records(),
        readOrder,
      }
      return {
        answer: { ...(await readGroups(selected, name, query)), isExact: isWhole(sync) },
        freshForMs: isOfTeam ? 0 : freshnessOf(sync, trouble).freshForMs,
      }
    },

    async facet(name, query, bounds) {
      const { selector, isOfTeam } = await readFilter(query, bounds)
      const found = await currentFor(query, selector.bounds)
      if (!found) return { answer: { values: null, more: 0, isExact: false }, freshForMs: 0 }
      const { sync, rows, trouble } = found
      const selection = selectRows(rows, requireSaidOf(rows, selector))
      const { freshForMs } = freshnessOf(sync, trouble)
      return {
        answer: { ...findValues(rows, selection, { name, text: query.text ?? '' }), isExact: isWhole(sync) },
        freshForMs: isOfTeam ? 0 : freshForMs,
      }
    },

    async conditions(query, bounds) {
      const { selector, isOfTeam } = await readFilter(query, bounds)
      const found = await currentFor(query, selector.bounds)
      if (!found) return { answer: { conditions: null, more: 0, isExact: false }, freshForMs: 0 }
      const { sync, rows, trouble } = found
      const countOf = async (filter: ConditionQuery) => {
        const alone = await readFilter(filter, feedBounds(filter, clock.nowMs()))
        // Alone, its time may begin before what is stored.
        const isStored = await currentFor(filter, alone.selector.bounds)
        return isStored && selectRows(rows, requireSaidOf(rows, alone.selector)).matched.length
      }
      return {
        answer: { ...(await countConditions(query, { rows, countOf })), isExact: isWhole(sync) },
        freshForMs: isOfTeam ? 0 : freshnessOf(sync, trouble).freshForMs,
      }
    },

    async countDays(filter, bounds, days) {
      const found = await current()
      if (!found) return null
      const { selector } = await readFilter(filter, bounds)
      const { matched } = selectRows(found.rows, requireSaidOf(found.rows, selector))
      return countDays(found.rows, matched, days)
    },

    async storedRange(start = null) {
      const found = await current()
      if (!found) return null
      const { storedFrom: from, storedTo: to } = found.sync
      const { freshness, freshForMs } = freshnessOf(found.sync, found.trouble)
      return {
        time: storedTimeOf(found.sync),
        from,
        to,
        isDatedByDay: isDatedByDay(found.rows),
        freshness: { ...freshness, ...checkedPart(found.sync, start) },
        freshForMs,
      }
    },

    indexRows: async () => (await current())?.rows ?? null,

    isEmpty: async () => (await current()) === null,

    async snapshot(query, bounds) {
      const found = await current()
      if (!found) return null
      const { selector } = await readFilter(query, bounds)
      const own = records()
      async function read(ids: readonly string[]) {
        // Without them a reader would take what was read so far for all.
        if (!(await current()) || records() !== own) throw new Error('The window was emptied meanwhile')
        return own.read(ids)
      }
      const { rows } = found
      const selection = selectRows(rows, requireSaidOf(rows, selector))
      const snapshot = await takeSnapshot({ rows, selection, records: { read }, readOrder }, query)
      return { ...snapshot, undecided: countUndecided(rows, selector) ?? 0 }
    },

    async newest(filter, limit, bounds = UNBOUNDED) {
      const found = await current()
      if (!found) return null
      const { selector } = await readFilter(filter, bounds)
      const selected = requireSaidOf(found.rows, selector)
      return records().read(readPage(found.rows, selected, { after: null, limit }).ids)
    },

    async matchFacts(filter, bounds, facts) {
      const rows = toRows(createDictionaries(), facts)
      const { selector } = await readFilter(filter, bounds)
      const { matched } = selectRows(rows, selector)
      return Array.from(matched, (row) => rows.ids[row] ?? '')
    },

    async findUnsaid(filter, bounds) {
      const { selector } = await readFilter(filter, bounds)
      const found = await current()
      if (!found) return { unsaid: [], undecided: 0 }
      const undecided = countUndecided(found.rows, selector) ?? 0
      return { unsaid: unsaidOf(found.rows, selector), undecided }
    },

    async find(id, set) {
      const found = await current()
      if (!found || (set && set !== found.sync.set)) return null
      const threat = await findThreat(database, id)
      return threat && { threat, freshness: freshnessOf(found.sync, found.trouble).freshness }
    },

    async state() {
      const { sync, rows, trouble } = await readIndex()
      if (!sync || !canAnswer(sync, rows))
        return { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble }
      const { missing, staleReason } = freshnessOf(sync, trouble).freshness
      return {
        status: sync.status === 'filling' ? 'filling' : missing ? 'partial' : 'complete',
        ...(missing && { missing }),
        from: sync.storedFrom,
        to: sync.storedTo,
        threats: rows.count,
        lastReadAt: sync.lastReadAt,
        trouble: staleReason,
        says: saidParts(rows),
      }
    },

    isInMemory: () => index().isLoaded(),

    forget: () => index().forget(),
  }
}

/** Where nothing is stored, a vendor that has older records answers for them. One without any record needs no call. */
function canAnswer({ list }: StoredState, { count }: IndexRows): boolean {
  return count > 0 || list.isEmpty === true
}
