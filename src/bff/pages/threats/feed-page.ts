import type { FeedBounds } from '#bff/time/time-range.ts'
import type { CachedAnswer } from '#bff/vendor/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { FeedPosition, PositionOf } from './feed-cursor.ts'

export const PAGE_LIMIT = 50

/** What can be done where a list ends early. */
export const NARROW = 'Narrower dates or filters may show the rest.'
export const NO_MORE = `The source promises more threats here, but gives none that are new. ${NARROW}`

/** A page of the feed, made from one or more of the vendor's. */
export type FeedPage = {
  threats: Threat[]
  unreadable: number
  total: number | null
  isTotalExact: boolean
  /** Null on the last page. */
  next: FeedPosition | null
  /** Why it ends here though there may be more. */
  endsEarly?: string | undefined
  cachedAnswers: CachedAnswer<unknown>[]
}

export type FeedPageRequest<Set extends FeedPosition['set']> = {
  query: ThreatListQuery
  bounds: FeedBounds
  /** Null on the first page. */
  position: PositionOf<Set> | null
  request: ReadRequest
}
