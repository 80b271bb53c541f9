import { createHash } from 'node:crypto'
import { isWithin, toIso } from '#bff/time/time-range.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { anchorOf, anchorsAfter, distinct } from '#bff/vendor/reader/find-continuation.ts'
import type { ThreatPage } from '#bff/vendor/reader/read-threat-list.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { badCursor, type PositionOf } from './feed-cursor.ts'
import { type FeedPage, type FeedPageRequest, NARROW, NO_MORE, PAGE_LIMIT } from './feed-page.ts'
import type { ReadPage } from './threat-pages.ts'

/** Gives up on a list that only ever promises more. */
const EMPTY_ANSWERS_MAX = 5
const PAGES_MAX = 200
const TOO_LONG = `Lists are read up to ${PAGES_MAX} pages far. ${NARROW}`
/** Our cursor holds the vendor's and the marks; a circle of more pages than there are marks ends by its pages. */
const USED_MAX_COUNT = 40
const CURSOR_ROOM = 1_100
const MARK_LENGTH = 6
const MARK_ROOM = MARK_LENGTH + 3

const START: Omit<PositionOf<'v1'>, 'set' | 'cursor'> = { anchors: [], pages: 0, emptyAnswers: 0, used: [] }

/** A page by the vendor's own cursor. */
export async function readV1FeedPage(
  readPage: ReadPage,
  { query, bounds, position, request }: FeedPageRequest<'v1'>,
): Promise<FeedPage> {
  const cached = await readPage(
    'v1',
    {
      limit: PAGE_LIMIT,
      category: query.category?.[0],
      country: query.country?.[0]?.toUpperCase(),
      since: toIso(bounds.start),
      cursor: position?.cursor,
    },
    request,
  ).catch((error: unknown) => {
    const isGone = position && error instanceof UpstreamError && error.kind === 'rejected'
    throw isGone ? badCursor(error) : error
  })

  const page = cached.value
  const anchors = position?.anchors ?? []
  const fresh = distinct(page.threats).filter(({ id }) => !anchors.includes(anchorOf(id)))
  return {
    threats: fresh.filter((threat) => isWithin(bounds, threat)),
    unreadable: page.unreadable.length,
    total: page.total,
    isTotalExact: true,
    ...nextPosition(page, position, fresh),
    cachedAnswers: [cached],
  }
}

/** No next one where the list ends, or leads nowhere. */
function nextPosition(
  { cursor, received, threats }: ThreatPage,
  position: PositionOf<'v1'> | null,
  fresh: readonly Threat[],
): Pick<FeedPage, 'next' | 'endsEarly'> {
  if (cursor === null) return { next: null }
  if (received === 0) return { next: null, endsEarly: NO_MORE }
  const { anchors, pages, emptyAnswers, used } = position ?? START
  // Newest first: when the last record was given before, so were all above it.
  const last = threats.at(-1)
  const isNew = last !== undefined && !anchors.includes(anchorOf(last.id))
  const next = {
    anchors: isNew ? anchorsAfter(anchors, fresh) : anchors,
    pages: pages + 1,
    emptyAnswers: isNew ? 0 : emptyAnswers + 1,
  }
  const mark = createHash('sha256').update(cursor).digest('base64url').slice(0, MARK_LENGTH)
  if (next.pages >= PAGES_MAX) return { next: null, endsEarly: TOO_LONG }
  if (used.includes(mark) || next.emptyAnswers >= EMPTY_ANSWERS_MAX) return { next: null, endsEarly: NO_MORE }
  const room = Math.floor((CURSOR_ROOM - cursor.length) / MARK_ROOM)
  const marks = [...used, mark].slice(-Math.max(1, Math.min(USED_MAX_COUNT, room)))
  return { next: { set: 'v1', cursor, ...next, used: marks } }
}
