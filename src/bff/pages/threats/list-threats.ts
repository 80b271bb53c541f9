import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type FeedBounds, feedBounds, toIso } from '#bff/time/time-range.ts'
import { freshnessOf, type Timed } from '#bff/vendor/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError, type UpstreamErrorKind } from '#bff/vendor/client/upstream-error.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import type { Window } from '#bff/window/window.ts'
import { type FeedPlan, olderThanWindow, planFeed, usedFilters } from '#contract/bff/feed-plan.ts'
import type { ThreatFilterName, ThreatList, ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { readEarlierFeedPage } from './earlier-feed-page.ts'
import { badCursor, type FeedCursors, type PositionOf } from './feed-cursor.ts'
import { type FeedPage, NARROW } from './feed-page.ts'
import type { ReadPage } from './threat-pages.ts'
import { readV1FeedPage } from './v1-feed-page.ts'

export type ListThreats = (query: ThreatListQuery, request: ReadRequest) => Promise<Timed<ThreatList>>

export type ListThreatsDependencies = {
  readPage: ReadPage
  cursors: FeedCursors
  upstream: Pick<Upstream, 'permittedSets' | 'closedSets'>
  categories: () => Pick<SeenCategories, 'addFromMessage'>
  window: Pick<Window, 'list' | 'isEmpty'>
  clock: Pick<Clock, 'nowMs'>
}

const NO_ROOM = `The source names its next page in a way that cannot be asked for. ${NARROW}`

/** Failures that lie with one set, or with its key: the other may have its own. */
const RULED_OUT: readonly UpstreamErrorKind[] = ['set_forbidden', 'forbidden', 'key_invalid']

const CLOSURE_KINDS = {
  plan: 'set_forbidden',
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
  const { readPage, cursors, upstream, categories, window, clock } = deps

  async function readSet(set: RouteSet, listRequest: ListRequest): Promise<Timed<ThreatList>> {
    const { query, bounds } = listRequest
    const page = await readFeedPage(readPage, set, listRequest)
    const end = Math.min(...page.cachedAnswers.map(({ fetchedAtMs }) => fetchedAtMs), bounds.end ?? Infinity)
    const covers = { from: toIso(bounds.start) ?? null, to: toIso(end) ?? null }
    const { freshness, freshForMs } = freshnessOf(page.cachedAnswers, covers)
    const { threats, total, isTotalExact, unreadable } = page
    const nextCursor = page.next && cursors.encode(page.next, query)
    const endsEarly = page.next && !nextCursor ? NO_ROOM : page.endsEarly
    const counted = { total, isTotalExact, answeredBy: set, facets: null, understoodAs: query.q ?? null }
    const ending = endsEarly === undefined ? { nextCursor } : { nextCursor, endsEarly }
    return { answer: { threats, ...ending, ...counted, unreadable, freshness }, freshForMs }
  }

  /** Null where only the vendor can answer. */
  async function readWindow(
    query: ThreatListQuery,
    bounds: FeedBounds,
    after: PositionOf<'window'> | null,
  ): Promise<Timed<ThreatList> | null> {
    const page = await window.list(query, bounds, after)
    if (!page) return null
    const nextCursor = page.next && cursors.encode({ set: 'window', ...page.next }, query)
    return { answer: { ...page.answer, nextCursor }, freshForMs: page.freshForMs }
  }

  async function chooseSet(query: ThreatListQuery, { start }: FeedBounds): Promise<RouteSet> {
    const closed = upstream.closedSets()
    const plan: FeedPlan = planFeed(filterOf(query), closed)
    if (plan.set) return plan.set
    const closure = query.set ? closed[query.set] : closed.earlier && closed.v1
    if (closure) {
      // Without any filter it would not be answered either.
      const kind = CLOSURE_KINDS[closure]
      throw new UpstreamError({ set: query.set ?? 'v1', kind, reason: 'no route set is left to ask' })
    }
    const isOlder = !query.set && start !== null && !(await window.isEmpty())
    throw new ProblemError({
      code: 'filter_not_supported',
      detail: 'Drop a filter named here, or keep one value of it.',
      fields: plan.refused.map(({ filter, reason }) => ({
        name: filter,
        reason: isOlder ? olderThanWindow(reason) : reason,
      })),
    })
  }

  /** The other set, where this one's plan or key rules the query out and the reader did not insist on it. */
  function fallbackSet(error: unknown, set: RouteSet, { query, position }: ListRequest): RouteSet | null {
    const isRuledOut = error instanceof UpstreamError && RULED_OUT.includes(error.kind)
    if (!isRuledOut || position || query.set) return null
    const other = upstream.permittedSets().find((each) => each !== set)
    return other ? planFeed({ ...filterOf(query), set: other }, {}).set : null
  }

  return async (query, request) => {
    const bounds = feedBounds(query, clock.nowMs())
    const position = query.cursor === undefined ? null : cursors.decode(query.cursor, query)
    if (!position || position.set === 'window') {
      const stored = await readWindow(query, bounds, position)
      if (stored) return stored
      if (position) throw badCursor()
    }
    const listRequest = { query, bounds, position, request }
    const seen = categories()
    const set = position?.set ?? (await chooseSet(query, bounds))
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

type ListRequest = {
  query: ThreatListQuery
  bounds: FeedBounds
  position: PositionOf<RouteSet> | null
  request: ReadRequest
}

function readFeedPage(
  readPage: ReadPage,
  set: RouteSet,
  { position, ...rest }: ListRequest,
): Promise<FeedPage> {
  return set === 'v1'
    ? readV1FeedPage(readPage, { ...rest, position: position?.set === 'v1' ? position : null })
    : readEarlierFeedPage(readPage, { ...rest, position: position?.set === 'earlier' ? position : null })
}

function filterOf({ timeZone: _zone, cursor: _cursor, ...filter }: ThreatListQuery) {
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
