import { areUtcDays, type FeedBounds, isWithin, utcDays } from '#bff/time/time-range.ts'
import type { CachedAnswer } from '#bff/vendor/cache/cached-answer.ts'
import {
  ANCHORS_COUNT,
  anchorsAfter,
  distinct,
  findContinuation,
} from '#bff/vendor/reader/find-continuation.ts'
import type { ThreatPage } from '#bff/vendor/reader/read-threat-list.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { PositionOf } from './feed-cursor.ts'
import { type FeedPage, type FeedPageRequest, NO_MORE, PAGE_LIMIT } from './feed-page.ts'
import type { ReadPage } from './threat-pages.ts'

/** More than one only while the list moves, or while the records of a partial day lie before the range. */
const EARLIER_CALLS_MAX = 6
const TRIMMED_LIMIT = 100
/** An answer with fewer threats is worth another call, where the list goes on. */
const FULL_ENOUGH = PAGE_LIMIT / 2
/** Gives up on a list that only ever promises more. */
const EMPTY_ANSWERS_MAX = 5

const START: PositionOf<'earlier'> = { set: 'earlier', offset: 0, anchors: [], time: null, emptyAnswers: 0 }

/**
 * A page by offsets, which shift as records come and go: each page is read with an overlap, and goes on after the last
 * record that the reader was given, wherever that stands now.
 */
export async function readEarlierFeedPage(
  readPage: ReadPage,
  { query, bounds, position, request }: FeedPageRequest<'earlier'>,
): Promise<FeedPage> {
  const isExact = areUtcDays(bounds)
  const days = utcDays(bounds)
  const cachedAnswers: CachedAnswer<ThreatPage>[] = []
  const threats: Threat[] = []
  let unreadable = 0
  let current = position ?? START
  let offset = overlapping(current.offset)
  let goesOn = true

  while (goesOn && threats.length < FULL_ENOUGH && cachedAnswers.length < EARLIER_CALLS_MAX) {
    const limit = isExact ? PAGE_LIMIT + (offset > 0 ? ANCHORS_COUNT : 0) : TRIMMED_LIMIT
    const cached = await readPage(
      'earlier',
      {
        limit,
        offset,
        category: query.category?.[0],
        country: query.country?.[0]?.toUpperCase(),
        date_from: days.first,
        date_to: days.last,
        search: query.q,
      },
      request,
      current.anchors.at(-1),
    )
    cachedAnswers.push(cached)
    const page = cached.value
    const found = findContinuation(current, distinct(page.threats))
    const isLastTry = cachedAnswers.length === EARLIER_CALLS_MAX
    if (found.kind === 'behind' && offset > 0 && !isLastTry) {
      offset = Math.max(0, offset - PAGE_LIMIT)
      continue
    }

    const fresh = found.kind === 'ahead' ? [] : found.threats
    const end = offset + page.received
    goesOn = page.received > 0 && hasMore(page, end, limit) && !isPast(bounds, fresh)
    unreadable += page.unreadable.length
    offset = overlapping(end)
    current = {
      ...current,
      offset: end,
      anchors: anchorsAfter(current.anchors, fresh),
      time: fresh.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? current.time,
    }
    threats.push(...fresh.filter((threat) => isWithin(bounds, threat)))
  }

  const emptyAnswers = threats.length === 0 ? current.emptyAnswers + 1 : 0
  const isGivenUp = goesOn && emptyAnswers >= EMPTY_ANSWERS_MAX
  return {
    threats,
    unreadable,
    total: cachedAnswers.at(-1)?.value.total ?? null,
    isTotalExact: isExact,
    next: goesOn && !isGivenUp ? { ...current, emptyAnswers } : null,
    endsEarly: isGivenUp ? NO_MORE : undefined,
    cachedAnswers,
  }
}

function overlapping(offset: number): number {
  return Math.max(0, offset - ANCHORS_COUNT)
}

function hasMore({ hasMore, total, received }: ThreatPage, end: number, limit: number): boolean {
  return hasMore ?? (total === null ? received >= limit : end < total)
}

/** Newest first: once a record lies before the range, so do all that follow. */
function isPast({ start }: FeedBounds, threats: readonly Threat[]): boolean {
  const last = threats.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt
  return start !== null && last != null && Date.parse(last) < start
}
