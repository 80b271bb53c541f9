import { type PlacedThreat, placeThreats } from '#bff/store/records/store-threats.ts'
import { type CrawlPage, newOfPage } from '#bff/store/sync/crawl.ts'
import type { Cursor } from '#bff/store/sync/crawl-cursor.ts'
import { beginReading, isEndless, type Reading, readOn, shortfallOf } from '#bff/store/sync/reading.ts'
import { iso } from '#bff/time/iso-time.ts'
import type { GapReason } from '#contract/bff/coverage.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { HistoryLoad } from './load-queries.ts'

/** The most pages of a load, unless the vendor says that it holds more records. */
const PAGES_MAX = 200
const PAGE_RECORDS = 50

/** A load ends in one of these ways unless a person stops it. */
export type LoadEnd =
  | { kind: 'claim'; isEmpty: boolean }
  | { kind: 'failed'; why: GapReason; reason: string }
  /** The vendor says that the time holds more than it lists: only a total of all records would explain that. */
  | { kind: 'doubtful'; said: number; read: number }

export type AfterLoadPage = {
  /** Records of the time, each with the moment that it is sorted by. */
  placed: PlacedThreat[]
  reading: Reading
  /** The next page begins here; null at the end. */
  cursor: Cursor | null
  end: LoadEnd | null
}

const FAILURES = {
  endless: 'The vendor’s list of this time does not end.',
  circle: 'The vendor’s list of this time repeats itself, or promises more than it holds.',
  dates: 'The vendor does not keep to the dates that it was asked for.',
  order:
    'The vendor’s list of this time is in no order and says no total, so nobody knows whether it was read whole.',
} as const

/** Adds a page to a load: what is stored of it, and whether all of the time was read. */
export function afterLoadPage(
  load: HistoryLoad,
  page: CrawlPage,
  { met, stored, nowMs }: { met: ReadonlySet<string>; stored: ReadonlySet<string>; nowMs: number },
): AfterLoadPage {
  const [fromMs, toMs] = [Date.parse(load.from), Date.parse(load.to)]
  const before = load.cursor?.reading ?? beginReading(iso(nowMs), 0)
  const read = newOfPage(page, met)
  const { times } = read
  const reading = readOn(before, read, { nowMs, fromMs })

  const placed = placeThreats(page.threats, load.to).flatMap(({ threat, at }) => {
    const isInside = load.from <= at && at < load.to
    if (isInside) return { threat, at }
    // Its neighbour is of another time, and it was listed with this one.
    return threat.publishedAt === null ? { threat, at: at < load.from ? load.from : iso(toMs - 1) } : []
  })

  const isPast = !reading.isUnordered && times.length > 0 && times.every((at) => at < fromMs)
  const end = endAfter()
  const cursor = end === null && page.next ? { ...page.next, reading } : null
  return { placed, reading, cursor, end }

  function endAfter(): LoadEnd | null {
    const pagesMax = Math.max(PAGES_MAX, (2 * (reading.said ?? 0)) / PAGE_RECORDS)
    const fail = (why: GapReason, reason: string): LoadEnd => ({ kind: 'failed', why, reason })
    if (isOfOtherTime()) return fail('refused', FAILURES.dates)
    if (page.isCut) return fail('cutOff', FAILURES.circle)
    if (page.next !== null && !isPast)
      return isEndless(reading) || reading.pages >= pagesMax ? fail('cutOff', FAILURES.endless) : null
    const isShort = isPast ? null : shortfallOf(reading)
    if (isShort) return { kind: 'doubtful', ...isShort }
    if (!isPast && reading.isUnordered && reading.said === null && reading.pages > 1)
      return fail('notRead', FAILURES.order)
    return { kind: 'claim', isEmpty: reading.listed === 0 && reading.unreadable === 0 }
  }

  /** Its bounds were not heeded: nothing of the page is near the time, or all of it is stored as of another. */
  function isOfOtherTime(): boolean {
    if (page.threats.length === 0) return false
    const given = page.threats.flatMap(({ publishedAt }) =>
      publishedAt === null ? [] : Date.parse(publishedAt),
    )
    if (given.length === 0) return before.pages === 0 && page.threats.every(({ id }) => stored.has(id))
    return given.every((at) => at >= toMs + 2 * DAY_MS)
  }
}
