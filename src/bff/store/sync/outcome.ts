import type { ListedRange } from '#bff/store/records/list-queries.ts'
import type { Backoffs, CrawlName } from './backoff.ts'
import type { Step } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import type { Reading } from './reading.ts'
import type { StoredState } from './sync-state.ts'

/** A page is stored with these results, in one transaction. */
export type StoreOutcome = {
  kind: 'store'
  state: StoredState
  page: CrawlPage
  /** The crawl's progress after the page; null if no page came. */
  reading: Reading | null
  backoffs: Backoffs
  /** The page replaces all that is stored. */
  isFirst: boolean
  /** The crawl whose ids are stored until its end, from this page on or not; null if the page is all of it. */
  listed: { crawl: CrawlName; isStart: boolean; goesOn: boolean } | null
  /** A range whose missing records are deleted at the vendor, and how far back to compare again if that is not sure. */
  deleted: (ListedRange & { repeatUntil: string | null }) | null
  /** The crawl met unreadable records again from this time on, and began at the other. */
  reread: { from: string; since: string } | null
  /**
   * The list's number of records since a time, to be compared with what is stored; `isAfterAll` if all of it was read
   * just now.
   */
  expected: { total: number; since: string; isAfterAll: boolean } | null
  /** Nobody knows which records the list's total counts. */
  isTotalInDoubt: boolean
  /** The number of records in a list that ends where its plan may cut it; null if the end is known. */
  doubtfulEnd: number | null
}
export type PauseOutcome = { kind: 'pause'; state: StoredState; backoffs: Backoffs; isCursorLost: boolean }
/** A call leads to another call at once, to a page to store, or to a pause of the crawl. */
export type Outcome = { kind: 'request'; step: Step } | StoreOutcome | PauseOutcome

export const NOTHING_ELSE = {
  kind: 'store',
  reading: null,
  isFirst: false,
  listed: null,
  deleted: null,
  reread: null,
  expected: null,
  isTotalInDoubt: false,
  doubtfulEnd: null,
} as const

export function comparedWith(
  { total }: CrawlPage,
  since: string | null,
  isAfterAll = false,
): StoreOutcome['expected'] {
  return total !== null && since !== null ? { total, since, isAfterAll } : null
}
