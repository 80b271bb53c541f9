import { iso } from '#bff/time/iso-time.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Facts, Step } from './choose-step.ts'
import { type CrawlPage, newOfPage } from './crawl.ts'
import type { Cursor } from './crawl-cursor.ts'
import {
  beginReading,
  holdsNothing,
  isEndless,
  type KnownList,
  orderAfter,
  type Reading,
  readOn,
  shortfallOf,
  UNKNOWN_LIST,
} from './reading.ts'

/** Facts of the database about a page. */
export type PageFacts = {
  /** The number of stored records; it matters once a list has ended. */
  countStored: number
  /** Ids of the page that its crawl had met before. */
  known: ReadonlySet<string>
  /** The number of records that are not stored yet. */
  unstored: number
}

/** A page, and what is known with it. */
export type Read = {
  page: CrawlPage
  reading: Reading
  /** The list's end; or that it has none, or leads in a circle. */
  ending: 'end' | 'endless' | null
  next: Cursor | null
  /** The bound of the list's request. */
  since: string | null
  /** The time of the oldest record so far; at most now. */
  oldest: string
  list: KnownList
  /** Fewer records were read than the list reports, up to its end. */
  shortfall: KnownList['total']
  /** All of the list was read, and it holds no record. */
  isEmpty: boolean
  /** The page comes from a key that withholds fields; null if its records do not agree. */
  isRedacted: boolean | null
  /** The total counts more than was read, and nobody knows which records it counts. */
  isTotalInDoubt: boolean
}

/** Joins a page with what its crawl has read before. */
export function readPage(step: Step, page: CrawlPage, facts: Facts & PageFacts): Read {
  const { nowMs, filledFrom, known: met } = facts
  const known = step.crawl === 'first' ? UNKNOWN_LIST : step.from.list
  const startedAt = step.crawl === 'older' ? iso(nowMs) : step.startedAt
  const before =
    step.cursor?.reading ?? beginReading(startedAt, step.crawl === 'first' ? 0 : step.from.revision)
  const reading = readOn(before, newOfPage(page, met), { nowMs, fromMs: Date.parse(filledFrom) })
  const isOver = page.next !== null && isEndless(reading)
  const ending = page.isCut || isOver ? 'endless' : page.next === null ? 'end' : null
  const since = step.cursor?.since === undefined ? step.since : step.cursor.since
  const paging = pagingAfter(known, step)
  const list = {
    ...known,
    order: orderAfter(known, reading),
    paging,
    endlessPages: ending === 'endless' ? reading.pages : known.endlessPages,
    isEmpty: reading.listed > 0 ? false : known.isEmpty,
  }
  const newestSince =
    paging === 'since' && reading.newest !== null ? { since: iso(reading.newest), cursor: null } : {}
  const shortfall = ending === 'end' && !known.isTotalOfAll ? shortfallOf(reading) : null
  const bare = paging === 'cursorAlone' ? { since: null } : {}
  return {
    page,
    reading,
    ending,
    since,
    list,
    next: ending === null && page.next ? { ...page.next, reading, ...bare, ...newestSince } : null,
    oldest: iso(Math.min(reading.oldest ?? nowMs, nowMs)),
    shortfall,
    isEmpty: ending === 'end' && holdsNothing(reading),
    isRedacted: redactionOf(page.threats),
    isTotalInDoubt: shortfall !== null && since !== null && keepsBound(reading, since),
  }
}

/** If records came from long before its bound, the list has none, and its total counts all that was read. */
function keepsBound({ oldest }: Reading, since: string): boolean {
  return oldest === null || oldest >= Date.parse(since) - DAY_MS
}

function redactionOf(threats: readonly Threat[]): boolean | null {
  const redacted = threats.filter(({ redacted }) => redacted.length > 0).length
  if (threats.length === 0 || (redacted > 0 && redacted < threats.length)) return null
  return redacted > 0
}

/** A further page that came shows how to ask for the next. */
function pagingAfter({ paging }: KnownList, { cursor, since }: Step): KnownList['paging'] {
  if (cursor?.set !== 'v1') return paging
  if (cursor.cursor === null) return 'since'
  return cursor.since === null && since !== null ? 'cursorAlone' : paging === 'refused' ? 'cursor' : paging
}
