import * as z from 'zod/mini'
import { type Missing, missingSchema } from '#contract/bff/freshness.ts'
import { parseJson } from './parse-json.ts'

/** Records that appear with a time a little before those already read. */
export const OVERLAP_MS = 10 * 60_000
/** Number of steps back in time, with none forward, that proves an order. */
const STEPS_BACK_MIN = 20
/** A list ends after so many pages in a row that bring nothing new, or only records that are too old. */
const IDLE_PAGES_MAX = 5
const OUTSIDE_PAGES_MAX = 50
/** The most pages of a reading, unless the vendor says that it has more records. */
const PAGES_MAX = 1_000

/** A crawl's progress, which its cursor carries. Times are epoch milliseconds. */
export const readingSchema = z.object({
  /** ISO 8601 UTC. */
  startedAt: z.iso.datetime(),
  /** The store's revision then: what was stored later it cannot call gone. */
  revision: z.int(),
  pages: z.int(),
  /** The number of ids that it has met. */
  listed: z.int(),
  oldest: z.nullable(z.number()),
  newest: z.nullable(z.number()),
  /** A record stands behind one that is older by more than the overlap. */
  isUnordered: z.boolean(),
  stepsBack: z.int(),
  /** The lowest total that a page reported for the list. */
  said: z.nullable(z.int()),
  /** Records that were no threats, and that a page held twice. */
  unreadable: z.int(),
  doubles: z.int(),
  idlePages: z.int(),
  outsidePages: z.int(),
})
export type Reading = z.infer<typeof readingSchema>

export function beginReading(startedAt: string, revision: number): Reading {
  return {
    startedAt,
    revision,
    pages: 0,
    listed: 0,
    oldest: null,
    newest: null,
    isUnordered: false,
    stepsBack: 0,
    said: null,
    unreadable: 0,
    doubles: 0,
    idlePages: 0,
    outsidePages: 0,
  }
}

type ReadPage = {
  /** Times of the records that it had not met, as the page has them; without those that say none. */
  times: readonly number[]
  total: number | null
  unreadable: number
  doubles: number
  /** The number of ids that the reading had not met. */
  newIds: number
}

export function readOn(
  before: Reading,
  page: ReadPage,
  { nowMs, fromMs }: { nowMs: number; fromMs: number },
) {
  const after: Reading = {
    ...before,
    pages: before.pages + 1,
    listed: before.listed + page.newIds,
    said: page.total === null ? before.said : Math.min(page.total, before.said ?? page.total),
    unreadable: before.unreadable + page.unreadable,
    doubles: before.doubles + page.doubles,
  }
  // A time in the future says nothing of the order.
  for (const time of page.times.filter((at) => at <= nowMs + OVERLAP_MS)) {
    after.isUnordered ||= after.oldest !== null && time > after.oldest + OVERLAP_MS
    if (after.oldest !== null && time < after.oldest) after.stepsBack++
    after.oldest = Math.min(time, after.oldest ?? time)
    after.newest = Math.max(time, after.newest ?? time)
  }
  const isIdle = page.newIds === 0 && page.unreadable === 0
  // A list that is oldest first comes nearer meanwhile.
  const isNearer = (after.newest ?? 0) > (before.newest ?? 0)
  const isOutside = page.times.length > 0 && page.times.every((at) => at < fromMs) && !isNearer
  after.idlePages = isIdle ? before.idlePages + 1 : 0
  after.outsidePages = isOutside ? before.outsidePages + 1 : 0
  return after
}

/** Returns true if a reading has to stop: a list that has not ended by then has no end. */
export function isEndless({ pages, said, listed, idlePages, outsidePages }: Reading): boolean {
  const pagesMax = Math.max(PAGES_MAX, (2 * (said ?? 0) * pages) / Math.max(1, listed))
  return idlePages >= IDLE_PAGES_MAX || outsidePages >= OUTSIDE_PAGES_MAX || pages >= pagesMax
}

/** Compares the records that were read with the list's total; null if all were read. */
export function shortfallOf({ said, listed, unreadable, doubles }: Reading): Missing['total'] {
  const read = listed + doubles
  return said !== null && said > read + unreadable ? { said, read } : null
}

/** Returns true if a list that was read to its end holds no record, and reports none. */
export function holdsNothing({ listed, unreadable, said }: Reading): boolean {
  return listed === 0 && unreadable === 0 && (said ?? 0) === 0
}

/** Facts about the vendor's list from all readings. */
const listSchema = z.object({
  /** Newest first, by many records; in no order, by one. */
  order: z.enum(['unknown', 'newestFirst', 'none']),
  /** Further pages are requested as documented, without the list's bound, or by later bounds; or they are refused. */
  paging: z.enum(['cursor', 'cursorAlone', 'since', 'refused']),
  /** The vendor's total counts all records, independent of the requested bound. */
  isTotalOfAll: z.boolean(),
  /** The difference between the total and what is stored at the last comparison; null before the first. */
  off: z.nullable(z.int()),
  /** The difference at the comparison before: a total that is merely late does not stay. */
  offBefore: z.nullable(z.int()),
  /** The whole list is worth another reading: it holds more or less than is stored. */
  isDue: z.boolean(),
  /** The pages of a list that has no end. */
  endlessPages: z.nullable(z.int()),
  total: missingSchema.shape.total,
  unreadable: missingSchema.shape.unreadable,
  /** A record that a comparison did not find came again: only a total shows that a reading has met all. */
  isUnsteady: z._default(z.boolean(), false),
  /** The vendor is known to have no record, however old; null if the next request without a bound shows it. */
  isEmpty: z._default(z.nullable(z.boolean()), false),
})
export type KnownList = z.infer<typeof listSchema>

export const UNKNOWN_LIST: KnownList = {
  order: 'unknown',
  paging: 'cursor',
  isTotalOfAll: false,
  off: null,
  offBefore: null,
  isDue: false,
  endlessPages: null,
  total: null,
  unreadable: null,
  isUnsteady: false,
  isEmpty: false,
}

/** Unknown where it is not one of ours. */
export function parseList(text: string | null): KnownList {
  return listSchema.safeParse(parseJson(text)).data ?? UNKNOWN_LIST
}

export function orderAfter({ order }: KnownList, reading: Reading): KnownList['order'] {
  if (order === 'none' || reading.isUnordered) return 'none'
  return reading.stepsBack >= STEPS_BACK_MIN ? 'newestFirst' : order
}

/** Describes what the list holds and the store lacks; undefined if nothing is known to be missing. */
export function missingOf({ unreadable, total, endlessPages, paging }: KnownList): Missing | undefined {
  const notes = [
    endlessPages === null
      ? []
      : `The vendor’s list does not end: Lantern read ${endlessPages.toLocaleString('en')} pages, and there may be more threats.`,
    paging === 'refused'
      ? 'The vendor refuses the next page of its own list: what it would hold is not read.'
      : [],
  ].flat()
  if (unreadable === null && total === null && notes.length === 0) return undefined
  return { unreadable, total, notes }
}
