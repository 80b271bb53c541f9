import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import { beginAnew, type Facts, OVERLAP_MS, RECONCILED_MS, type Step } from './choose-step.ts'
import { type CrawlPage, isForbidden, isRejected } from './crawl.ts'
import { paceOf } from './pace.ts'
import { type Setbacks, setBack, withoutSetback } from './setbacks.ts'
import { crawlsOf, type StoredState, withCrawls } from './sync-state.ts'

/** So long may pass without a record, or so many times as long as between two of them. */
const QUIET_MS = 2 * DAY_MS
const QUIET_GAPS = 4
const NO_PAGE: CrawlPage = { threats: [], next: null, isCut: false, total: null }

/** What a page leaves to be stored, in one transaction. */
export type StoreOutcome = {
  kind: 'store'
  state: StoredState
  page: CrawlPage
  setbacks: Setbacks
  /** Whether the page replaces all that is stored. */
  isFirst: boolean
  dropsOlder: boolean
  /** How many records the list holds from a time on, where what is stored has to agree; null where nothing has to. */
  expected: { total: number; since: string } | null
}
export type RestOutcome = { kind: 'rest'; state: StoredState; setbacks: Setbacks; isCursorLost: boolean }
/** What follows a call: another at once, a page to store, or a rest for the crawl. */
export type Outcome = { kind: 'ask'; step: Step } | StoreOutcome | RestOutcome

/** What follows an answer. `countStored` is how many records are stored; it matters where a list has come to its end. */
export function afterPage(step: Step, page: CrawlPage, facts: Facts & { countStored: number }): Outcome {
  if (step.crawl === 'first') return afterFirst(step, page, facts)
  return step.crawl === 'older' ? afterOlder(step, page, facts) : afterNewer(step, page, facts)
}

function afterFirst(
  { set, since, startedAt }: Extract<Step, { crawl: 'first' }>,
  page: CrawlPage,
  facts: Facts,
): Outcome {
  const { source, nowMs, setbacks } = facts
  const last = lastTime(page, nowMs)
  const isWhole = page.next === null && !page.isCut
  const stored = {
    source,
    set,
    storedFrom: isWhole ? startOfList(since, last, { count: page.threats.length, nowMs }) : last,
    storedTo: startedAt,
    since,
    isRedacted: redactionOf(page.threats) ?? false,
    reconciledAt: startedAt,
    lastReadAt: iso(nowMs),
    nextReadAt: nextReadAt(facts),
    revision: 0,
  }
  const state = withCrawls(stored, { fill: page.next && { cursor: page.next }, catchUp: null })
  return { ...NOTHING_ELSE, state, page, setbacks, isFirst: true }
}

/** One page further towards the window's start. */
function afterOlder(
  { from, since }: Extract<Step, { crawl: 'older' }>,
  page: CrawlPage,
  facts: Facts & { countStored: number },
): Outcome {
  const { nowMs, countStored: count } = facts
  const last = lastTime(page, nowMs)
  const oldest = last < from.storedFrom ? last : from.storedFrom
  const isEnd = endsFill(page, facts)
  const storedFrom = isEnd && !page.isCut ? startOfList(since, oldest, { count, nowMs }) : oldest
  // A page that was read before is no ground.
  const hasGained = isEnd || oldest < from.storedFrom
  return {
    ...NOTHING_ELSE,
    state: withCrawls(
      { ...from, storedFrom, lastReadAt: iso(nowMs) },
      { fill: isEnd ? null : { cursor: page.next }, catchUp: from.catchUp },
    ),
    page,
    setbacks: hasGained ? withoutSetback(facts.setbacks, 'older') : facts.setbacks,
    dropsOlder: isEnd,
  }
}

/** Whether a page is the last that the crawl to older records asks for. */
export function endsFill(page: CrawlPage, { nowMs, filledFrom }: Facts): boolean {
  return page.next === null || lastTime(page, nowMs) < filledFrom
}

/** One page further from the newest record back to what is stored. */
function afterNewer(
  { from, since, cursor, startedAt, until }: Extract<Step, { crawl: 'newer' }>,
  page: CrawlPage,
  facts: Facts,
): Outcome {
  const isStart = cursor === null
  if (isStart && (redactionOf(page.threats) ?? from.isRedacted) !== from.isRedacted)
    return { kind: 'ask', step: beginAnew(facts, facts.filledFrom) }

  const { fill } = crawlsOf(from)
  const last = lastTime(page, facts.nowMs)
  const isWhole = page.next === null && !page.isCut
  const next = last < until ? null : page.next
  const isDone = next === null
  // A list that breaks off above what is stored leaves a gap: the next crawl begins anew.
  const isClosed = isWhole || last < until || last < iso(Date.parse(from.storedTo) - OVERLAP_MS)
  const isReconciled = isDone && !page.isCut && Date.parse(until) <= Date.parse(startedAt) - RECONCILED_MS
  const edge = isWhole && since === null && page.threats.length > 0 ? last : from.storedFrom
  const stored = {
    ...from,
    since,
    storedFrom: edge > facts.keptFrom ? edge : facts.keptFrom,
    storedTo: isClosed ? startedAt : from.storedTo,
    reconciledAt: isReconciled ? startedAt : from.reconciledAt,
    lastReadAt: iso(facts.nowMs),
    nextReadAt: isDone ? nextReadAt(facts) : from.nextReadAt,
  }
  const { total } = page
  const isCompared = facts.isFree && isStart && isDone && fill === null
  return {
    ...NOTHING_ELSE,
    state: withCrawls(stored, { fill, catchUp: next && { cursor: next, startedAt, until } }),
    page,
    setbacks: isDone ? withoutSetback(facts.setbacks, 'newer') : facts.setbacks,
    dropsOlder: fill === null && isDone,
    expected: isCompared && total !== null && since !== null ? { total, since } : null,
  }
}

/**
 * What follows a call that failed, `asked` in a step that was chosen as `chosen`: another page than that where the window
 * has to begin anew. Null where there is no crawl that could rest.
 */
export function afterFailure(chosen: Step, asked: Step, error: unknown, facts: Facts): Outcome | null {
  const { setbacks } = facts
  // The plan's window has shrunk, or is shorter than ours: what it does not allow is not shown.
  if (isForbidden(error) && asked.since !== null) return { kind: 'ask', step: beginAnew(facts, null) }
  if (isForbidden(error) && asked.crawl !== 'first' && asked.cursor !== null) {
    const ended = { ...asked.from, nextReadAt: nextReadAt(facts) }
    const state = withCrawls(ended, { fill: null, catchUp: null })
    return { ...NOTHING_ELSE, state, page: NO_PAGE, setbacks, dropsOlder: true }
  }
  if (chosen.crawl === 'first') return null
  const { crawl, from, cursor } = chosen
  const hadCursor = cursor !== null
  // A cursor that the vendor does not know: from the newest record again.
  const isCursorLost = hadCursor && isRejected(error)
  const left = crawl === 'newer' ? { catchUp: null } : { fill: { cursor: null } }
  return {
    kind: 'rest',
    state: isCursorLost ? withCrawls(from, { ...crawlsOf(from), ...left }) : from,
    setbacks: setBack(crawl, { error, hadCursor }, facts),
    isCursorLost,
  }
}

const NOTHING_ELSE = { kind: 'store', isFirst: false, dropsOlder: false, expected: null } as const

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function nextReadAt({ nowMs, budgets }: Facts): string {
  return iso(nowMs + paceOf(budgets, nowMs))
}

/**
 * Where a list that has come to its end begins. A plan may cut it without a word: a bound far before its last record,
 * for how close its records follow each other, is not believed, so that no unread day counts as a quiet one.
 */
function startOfList(
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
function lastTime({ threats }: CrawlPage, nowMs: number): string {
  const last = threats.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt
  return iso(Math.min(last ? Date.parse(last) : nowMs, nowMs))
}

/** Whether a page comes from a key that withholds fields; null where its records do not agree. */
function redactionOf(threats: readonly Threat[]): boolean | null {
  const redacted = threats.filter(({ redacted }) => redacted.length > 0).length
  if (threats.length === 0 || (redacted > 0 && redacted < threats.length)) return null
  return redacted > 0
}
