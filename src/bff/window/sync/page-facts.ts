import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { CrawlPage } from './crawl.ts'

/** So long may pass without a record, or so many times as long as between two of them. */
const QUIET_MS = 2 * DAY_MS
const QUIET_GAPS = 4

/**
 * Where a list that has come to its end begins. A plan may cut it without a word: a bound far before its last record,
 * for how close its records follow each other, is not believed, so that no unread day counts as a quiet one.
 */
export function startOfList(
  bound: string | null,
  last: string,
  { count, nowMs }: { count: number; nowMs: number },
): string {
  if (bound === null) return last
  const gapMs = Date.parse(last) - Date.parse(bound)
  const usualGapMs = (nowMs - Date.parse(last)) / Math.max(1, count)
  return gapMs <= Math.max(QUIET_MS, QUIET_GAPS * usualGapMs) ? bound : last
}

/** The time of a page's last record that says one: the list is newest first. */
export function lastTime({ threats }: CrawlPage, nowMs: number): string {
  const last = threats.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt
  return new Date(Math.min(last ? Date.parse(last) : nowMs, nowMs)).toISOString()
}

/** Whether a page comes from a key that withholds fields; null where its records do not agree. */
export function redactionOf(threats: readonly Threat[]): boolean | null {
  const redacted = threats.filter(({ redacted }) => redacted.length > 0).length
  if (threats.length === 0 || (redacted > 0 && redacted < threats.length)) return null
  return redacted > 0
}
