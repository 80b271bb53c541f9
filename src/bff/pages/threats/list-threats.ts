import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReadSearch } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type FeedBounds, feedBounds } from '#bff/time/time-range.ts'
import { freshnessOf, type Timed } from '#bff/vendor/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError, type UpstreamErrorKind } from '#bff/vendor/client/upstream-error.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import { type FeedPlan, olderThanWindow, planFeed, usedFilters } from '#contract/bff/feed-plan.ts'
import {
  type ThreatFilter,
  type ThreatFilterName,
  type ThreatList,
  type ThreatListQuery,
  withinOf,
} from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { explainQuery } from '#matcher/query/explain-query.ts'
import { readEarlierFeedPage } from './earlier-feed-page.ts'
import { badCursor, type FeedCursors, type PositionOf } from './feed-cursor.ts'
import { type FeedPage, NARROW } from './feed-page.ts'
import type { ReadPage } from './threat-pages.ts'
import { readV1FeedPage } from './v1-feed-page.ts'
import { type VendorSearch, vendorSearches } from './vendor-search.ts'

/** `search`: whether the query's is in our language, or text that goes to the vendor as it is. */
export type ListThreats = (
  query: ThreatListQuery,
  request: ReadRequest,
  search?: 'language' | 'verbatim',
) => Promise<Timed<ThreatList>>

export type ListThreatsDependencies = {
  readPage: ReadPage
  cursors: FeedCursors
  upstream: Pick<Upstream, 'permittedSets' | 'closedSets'>
  categories: () => Pick<SeenCategories, 'addFromMessage' | 'list'>
  readSearch: ReadSearch
  store: Pick<ThreatStore, 'list' | 'isEmpty' | 'storedRange'>
  clock: Pick<Clock, 'nowMs'>
}

const NO_ROOM = `The source names its next page in a way that cannot be asked for. ${NARROW}`
const NAMES_TOO_LONG = `The names that this list is ordered by are too long to go on from here. ${NARROW}`

/** Failures that lie with one set, or with its key: the other may have its own. */
const RULED_OUT: readonly UpstreamErrorKind[] = ['set_absent', 'set_forbidden', 'forbidden', 'key_invalid']

const CLOSURE_KINDS = {
  plan: 'set_forbidden',
  absent: 'set_absent',
  key_refused: 'key_invalid',
  key_missing: 'key_missing',
} as const

/** Words for our filters in the vendor's refusals. */
const FILTER_WORDS: Partial<Record<ThreatFilterName, RegExp>> = {
  category: /categor/i,
  country: /countr/i,
  within: /since|date_from/i,
  from: /since|date_from/i,
  to: /date_to/i,
  since: /since|date_from/i,
  until: /date_to/i,
  q: /search/i,
}

/** Answers a query for threats from the window or else from the route set that can, newest first. */
export function createListThreats(deps: ListThreatsDependencies): ListThreats {
  const { readPage, cursors, upstream, categories, readSearch, store, clock } = deps

  async function readSet(set: RouteSet, listRequest: ListRequest): Promise<Timed<ThreatList>> {
    const { query, asked, understoodAs } = listRequest
    const page = await readFeedPage(readPage, set, { ...listRequest, query: asked.query })
    const { freshness, freshForMs } = freshnessOf(page.cachedAnswers)
    const { unreadable } = page
    const { rest } = asked
    if (!listRequest.position) rest?.requireSaid(page.threats)
    const undecided = rest?.countUndecided(page.threats)
    const threats = rest ? page.threats.filter(rest.accepts) : page.threats
    // The vendor counts what it was asked for.
    const { total, isTotalExact } = rest ? { total: null, isTotalExact: false } : page
    const nextCursor = page.next && cursors.encode(page.next, query)
    const endsEarly = page.next && !nextCursor ? NO_ROOM : page.endsEarly
    const counted = { total, isTotalExact, answeredBy: set, facets: null, understoodAs }
    const ending = endsEarly === undefined ? { nextCursor } : { nextCursor, endsEarly }
    const filtered = rest && { filteredHere: rest.description }
    return {
      answer: { threats, ...ending, ...counted, ...filtered, unreadable, undecided, freshness },
      freshForMs,
    }
  }

  /** Null where only the vendor can answer. */
  async function readWindow(
    query: ThreatListQuery,
    bounds: FeedBounds,
    after: PositionOf<'window'> | null,
  ): Promise<Timed<ThreatList> | null> {
    const page = await store.list(query, bounds, after)
    if (!page) return null
    const nextCursor = page.next && cursors.encode({ set: 'window', ...page.next }, query)
    const ending = page.next && !nextCursor ? { nextCursor, endsEarly: NAMES_TOO_LONG } : { nextCursor }
    return { answer: { ...page.answer, ...ending }, freshForMs: page.freshForMs }
  }

  /** The route set to call, and what to ask it for: the first way that one can serve. */
  async function choose(
    query: ThreatListQuery,
    { start }: FeedBounds,
    searches: readonly VendorSearch[],
  ): Promise<{ set: RouteSet; asked: VendorSearch }> {
    const closed = upstream.closedSets()
    const plans = searches.map((asked) => ({ asked, plan: planFeed(filterOf(asked.query), closed) }))
    for (const { asked, plan } of plans) if (plan.set) return { set: plan.set, asked }
    const refused: FeedPlan['refused'] = plans.at(-1)?.plan.refused ?? []
    const closure = query.set ? closed[query.set] : closed.earlier && closed.v1
    if (closure) {
      // Without any filter it would not be answered either.
      const kind = CLOSURE_KINDS[closure]
      throw new UpstreamError({ set: query.set ?? 'v1', kind, reason: 'no route set is left to ask' })
    }
    const isOlder = !query.set && start !== null && !(await store.isEmpty())
    const used = usedFilters(filterOf(query))
    throw new ProblemError({
      code: 'filter_not_supported',
      detail: 'Drop a filter named here, or keep one value of it.',
      fields: (refused ?? []).map(({ filter, reason }) => ({
        name: used.includes(filter) ? filter : 'q',
        reason: isOlder ? olderThanWindow(reason) : reason,
      })),
    })
  }

  /** The other set, where this one's plan or key rules the query out and the reader did not insist on it. */
  function fallbackSet(
    error: unknown,
    set: RouteSet,
    { query, asked, position }: ListRequest,
  ): RouteSet | null {
    const isRuledOut = error instanceof UpstreamError && RULED_OUT.includes(error.kind)
    if (!isRuledOut || position || query.set) return null
    const other = upstream.permittedSets().find((each) => each !== set)
    return other ? planFeed({ ...filterOf(asked.query), set: other }, {}).set : null
  }

  return async (query, request, kind = 'language') => {
    const asGiven = feedBounds(query, clock.nowMs())
    const position = query.cursor === undefined ? null : cursors.decode(query.cursor, query)
    if (!position || position.set === 'window') {
      const stored = kind === 'language' ? await readWindow(query, asGiven, position) : null
      if (stored) return stored
      if (position) throw badCursor()
    }
    if (withinOf(query) === 'undated') throw undatedUnknown()
    const search = kind === 'language' ? await readSearch(query, asGiven) : null
    const bounds = search?.bounds ?? asGiven
    if (!isNewestFirst(query)) {
      const storedFrom = (await store.storedRange())?.from ?? null
      throw orderRefused(query, { storedFrom, start: bounds.start })
    }
    const seen = categories()
    const searches = search ? vendorSearches(query, search, seen.list()) : [{ query, rest: null }]
    const { set, asked } = position ? goOn(position.set, searches) : await choose(query, bounds, searches)
    const understoodAs = asked.rest && search ? explainQuery(search.tree, search.today) : (query.q ?? null)
    const listRequest = { query, asked, understoodAs, bounds, position, request }
    try {
      return await readSet(set, listRequest)
    } catch (error) {
      const other = fallbackSet(error, set, listRequest)
      if (other) return readSet(other, listRequest)
      if (!(error instanceof UpstreamError && error.kind === 'rejected')) throw error
      seen.addFromMessage(error.words ?? '')
      throw rejection(error, query)
    }
  }
}

/** A list goes on with the set that began it. */
function goOn(set: RouteSet, searches: readonly VendorSearch[]): { set: RouteSet; asked: VendorSearch } {
  const asked = searches.find(({ query }) => planFeed({ ...filterOf(query), set }, {}).set)
  if (!asked) throw badCursor()
  return { set, asked }
}

/** No API filters by a missing date, and reading all of its pages would cost all calls. */
function undatedUnknown(): ProblemError {
  const reason = 'Only stored threats can be looked through for a missing date.'
  return new ProblemError({
    code: 'filter_not_supported',
    detail: 'Drop the filter named here.',
    fields: [{ name: 'within', reason }],
  })
}

/** The vendor's lists are newest first, and no page of them knows what the others hold. */
function orderRefused(
  query: ThreatListQuery,
  { storedFrom, start }: { storedFrom: string | null; start: number | null },
): ProblemError {
  const isOlder = storedFrom !== null && start !== null && start < Date.parse(storedFrom)
  const why =
    storedFrom === null
      ? 'None are stored yet: try again in a minute.'
      : query.set && !isOlder
        ? 'Leave the choice of the API to Lantern.'
        : `Those begin on ${storedFrom.slice(0, 10)}: choose days from then on.`
  const fields = [
    { name: 'sort', reason: `Only stored threats can be sorted. ${why}` },
    { name: 'group', reason: `Only stored threats can be grouped. ${why}` },
  ]
  const isGroup = query.group !== undefined
  const isSort = !isNewestFirst({ ...query, group: undefined })
  return new ProblemError({
    code: 'filter_not_supported',
    detail: 'What is asked for here is not stored: list it newest first, or change what is named here.',
    fields: fields.filter(({ name }) => (name === 'group' ? isGroup : isSort)),
  })
}

type ListRequest = {
  query: ThreatListQuery
  asked: VendorSearch
  understoodAs: string | null
  bounds: FeedBounds
  position: PositionOf<RouteSet> | null
  request: ReadRequest
}

function readFeedPage(
  readPage: ReadPage,
  set: RouteSet,
  { position, ...rest }: Pick<ListRequest, 'query' | 'bounds' | 'position' | 'request'>,
): Promise<FeedPage> {
  return set === 'v1'
    ? readV1FeedPage(readPage, { ...rest, position: position?.set === 'v1' ? position : null })
    : readEarlierFeedPage(readPage, { ...rest, position: position?.set === 'earlier' ? position : null })
}

function filterOf({ timeZone: _zone, cursor: _cursor, ...filter }: ThreatListQuery): ThreatFilter {
  return filter
}

/** The vendor's refusal of a parameter, on the filter that it is about. */
function rejection(error: UpstreamError, query: ThreatListQuery): ProblemError {
  const words = error.words ?? 'The source does not take this value.'
  const used = usedFilters(filterOf(query))
  const named = used.filter((name) => FILTER_WORDS[name]?.test(words))
  return new ProblemError({
    code: 'filter_not_supported',
    detail: 'The source does not take the filters named here. Change or drop them.',
    fields: (named.length > 0 ? named : used).map((name) => ({ name, reason: words })),
    cause: error,
  })
}
