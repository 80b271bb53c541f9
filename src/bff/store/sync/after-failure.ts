import { backOff } from './backoff.ts'
import { beginAnew, type Facts, type Step, withinBound } from './choose-step.ts'
import { type CrawlPage, isForbidden, isRejected } from './crawl.ts'
import type { Cursor } from './crawl-cursor.ts'
import { NOTHING_ELSE, type Outcome } from './outcome.ts'
import { nextReadAt } from './pace.ts'
import { crawlsOf, withCrawls } from './sync-state.ts'

const NO_PAGE: CrawlPage = {
  threats: [],
  contents: new Map(),
  fresh: [],
  unreadable: [],
  doubles: 0,
  next: null,
  isCut: false,
  total: null,
}

/**
 * Decides what follows a failed call. `requested` is the request of the step `chosen`; it differs where the store has to
 * begin anew. Returns null if no crawl can be paused.
 */
export function afterFailure(chosen: Step, requested: Step, error: unknown, facts: Facts): Outcome | null {
  const { backoffs } = facts
  // The plan's window has shrunk, or is shorter than what is kept: what was read before stays.
  if (isForbidden(error) && requested.since !== null)
    return { kind: 'request', step: withoutBound(requested, facts) }
  // A list that is refused without its bound: whether the vendor has older records stays unknown.
  const bounded = isForbidden(error) || isRejected(error) ? withinBound(requested) : null
  if (bounded) return { kind: 'request', step: bounded }
  if (
    isForbidden(error) &&
    requested.crawl !== 'first' &&
    requested.crawl !== 'recheck' &&
    requested.cursor !== null
  ) {
    const isOlder = requested.crawl === 'older'
    const ended = {
      ...requested.from,
      nextReadAt: nextReadAt(facts),
      beyond: isOlder ? ('planWindow' as const) : requested.from.beyond,
    }
    const state = withCrawls(ended, { fill: null, catchUp: null })
    return { ...NOTHING_ELSE, state, page: NO_PAGE, backoffs }
  }
  if (chosen.crawl === 'first') return null
  const { crawl, from, cursor } = chosen
  const hadCursor = cursor !== null
  if (crawl === 'recheck') {
    // It begins again later: how far records are checked stays as it is.
    const isLost = hadCursor && (isRejected(error) || isForbidden(error))
    const state = isLost ? { ...from, recheck: null } : from
    return {
      kind: 'pause',
      state,
      backoffs: backOff(crawl, { error, hadCursor }, facts),
      isCursorLost: isLost,
    }
  }
  // A cursor that the vendor does not know: from the newest record again.
  const isCursorLost = hadCursor && isRejected(error)
  const otherwise = isCursorLost && from.list.paging !== 'refused' ? requestOtherwise(requested) : null
  if (otherwise) return { kind: 'request', step: otherwise }
  const left = crawl === 'newer' ? { catchUp: null } : { fill: { cursor: null } }
  const refused = { ...from, list: { ...from.list, paging: 'refused' as const } }
  return {
    kind: 'pause',
    state: isCursorLost ? withCrawls(refused, { ...crawlsOf(from), ...left }) : from,
    backoffs: backOff(crawl, { error, hadCursor }, facts),
    isCursorLost,
  }
}

/** The crawl begins again with the list as far as the plan allows. */
function withoutBound(step: Step, facts: Facts): Step {
  if (step.crawl === 'first') return beginAnew(facts, null)
  const isFilling = step.from.status === 'filling'
  const from = withCrawls(
    { ...step.from, since: null, recheck: null },
    { fill: isFilling ? { cursor: null } : null, catchUp: null },
  )
  if (step.crawl !== 'older') return { ...step, from, since: null, bound: null, cursor: null }
  return from.status === 'filling' ? { ...step, from, since: null, cursor: null } : step
}

/** Another way to the page that a cursor was refused for: without the list's bound; by a later one, oldest first. */
function requestOtherwise(step: Step): Step | null {
  const { cursor } = step
  if (cursor?.set !== 'v1' || cursor.cursor === null) return null
  const since = cursor.since === undefined ? step.since : cursor.since
  if (since !== null) return withCursor(step, { ...cursor, since: null })
  const { reading } = cursor
  const isOldestFirst = reading?.isUnordered && reading.stepsBack === 0 && reading.newest !== null
  return isOldestFirst
    ? withCursor(step, { ...cursor, cursor: null, since: new Date(reading.newest ?? 0).toISOString() })
    : null
}

function withCursor(step: Step, cursor: Cursor): Step {
  return step.crawl === 'first' ? step : { ...step, cursor }
}
