import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import { isWithin, toIso } from './feed-bounds.ts'
import { badCursor } from './feed-cursor.ts'
import { anchorsAfter, distinct, type FeedPage, type FeedPageQuestion, PAGE_LIMIT } from './feed-page.ts'
import type { ReadPage } from './threat-pages.ts'

/** A page by the vendor's own cursor. */
export async function readV1FeedPage(
  readPage: ReadPage,
  { query, bounds, position, ask }: FeedPageQuestion<'v1'>,
): Promise<FeedPage> {
  const reading = await readPage(
    'v1',
    {
      limit: PAGE_LIMIT,
      category: query.category?.[0],
      country: query.country?.[0]?.toUpperCase(),
      since: toIso(bounds.start),
      cursor: position?.cursor,
    },
    ask,
  ).catch((error: unknown) => {
    const isGone = position && error instanceof UpstreamError && error.kind === 'rejected'
    throw isGone ? badCursor(error) : error
  })

  const page = reading.value
  const anchors = position?.anchors ?? []
  const fresh = distinct(page.threats).filter(({ id }) => !anchors.includes(id))
  // A cursor that comes again, or leads on from nothing, would page in a circle.
  const goesOn = page.cursor !== null && page.cursor !== position?.cursor && page.received > 0
  return {
    threats: fresh.filter((threat) => isWithin(bounds, threat)),
    unreadable: page.unreadable,
    total: page.total,
    isTotalExact: true,
    next:
      goesOn && page.cursor !== null
        ? { set: 'v1', cursor: page.cursor, anchors: anchorsAfter(anchors, fresh) }
        : null,
    readings: [reading],
  }
}
