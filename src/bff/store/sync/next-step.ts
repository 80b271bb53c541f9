import type { Stretch } from '#bff/store/records/list-queries.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import { type Backoffs, type CrawlName, pauseUntil, withoutBackoff } from './backoff.ts'
import { type Check, type Checks, NO_CHECKS } from './checks.ts'
import {
  boundOf,
  type Facts,
  isBackgroundFill,
  type NewerStep,
  readAgain,
  type Step,
  withinBound,
} from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import { deepPauseOf } from './deep-fill.ts'
import { boundAfter, endOfList, startOfEmpty } from './list-end.ts'
import { paceOf } from './pace.ts'
import { type PageFacts, type Read, readPage } from './read-page.ts'
import { type KnownList, OVERLAP_MS, type Reading } from './reading.ts'
import { type Comparison, monthsOf, RECENT_MS, startOfLonger } from './recheck.ts'
import { crawlsOf, type StoredState, withCrawls } from './sync-state.ts'

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
  /** Whose ids are kept until its end, anew from this page on or not; null where the page is all of it. */
  listed: { crawl: CrawlName; isStart: boolean; goesOn: boolean } | null
  /** A range whose missing records are deleted at the source, and how far back to look again if that is not sure. */
  gone: (Stretch & { repeatUntil: string | null }) | null
  /** The time whose unreadable records were looked for again, and since when. */
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
export type RestOutcome = { kind: 'rest'; state: StoredState; backoffs: Backoffs; isCursorLost: boolean }
/** A call leads to another call at once, to a page to store, or to a pause of the crawl. */
export type Outcome = { kind: 'ask'; step: Step } | StoreOutcome | RestOutcome

/** Decides what follows an answer. */
export function afterPage(step: Step, page: CrawlPage, facts: Facts & PageFacts): Outcome {
  const read = readPage(step, page, facts)
  if (step.crawl === 'first') return afterFirst(step, read, facts)
  return step.crawl === 'older' ? afterOlder(step, read, facts) : afterNewer(step, read, facts)
}

function afterFirst(
  { set, since, startedAt, dataVersion }: Extract<Step, { crawl: 'first' }>,
  { page, ending, next, oldest, list, shortfall, reading, isEmpty }: Read,
  facts: Facts,
): Outcome {
  const { source, keys, nowMs, backoffs } = facts
  const isWhole = ending === 'end'
  const end = endOfList(since, oldest, { count: page.threats.length, facts })
  const bound = boundAfter(list, since, nowMs)
  // A list without order shows nothing before its end.
  const readFrom = list.order === 'none' && next ? startedAt : oldest
  const stored = {
    source,
    keys,
    set,
    storedFrom: earlier(isWhole ? end.start : readFrom, startedAt),
    storedTo: startedAt,
    since: bound,
    beyond: isWhole ? end.beyond : next ? ('notRead' as const) : ('cutOff' as const),
    isRedacted: redactionOf(page.threats) ?? false,
    reconciledAt: startedAt,
    lastReadAt: iso(nowMs),
    // The next request shows whether the vendor has older records.
    nextReadAt: isEmpty ? iso(nowMs) : nextReadAt(facts),
    dataVersion,
    list: { ...list, total: shortfall, isEmpty: isEmpty ? null : false },
    checks: NO_CHECKS,
    recheck: null,
    revision: 0,
  }
  const checks = isWhole ? checkedAll(stored, startedAt, reading) : NO_CHECKS
  return {
    ...NOTHING_ELSE,
    state: withCrawls(
      { ...stored, checks },
      { fill: next && { cursor: bound === since ? next : null }, catchUp: null },
    ),
    page,
    reading,
    backoffs,
    isFirst: true,
    listed: { crawl: 'older', isStart: true, goesOn: next !== null },
    expected: ending === 'end' ? comparedWith(page, since) : null,
    isTotalInDoubt: isInDoubt(shortfall, { since, reading }),
    doubtfulEnd: isWhole && !isEmpty && end.isDoubtful ? reading.listed : null,
  }
}

/** Reads one page further towards the window's start. */
function afterOlder(
  { from, since, cursor }: Extract<Step, { crawl: 'older' }>,
  { page, ending, next: following, reading, oldest: found, list, shortfall, isEmpty }: Read,
  facts: Facts & PageFacts,
): Outcome {
  const { nowMs, countStored: count } = facts
  const isOrdered = list.order !== 'none'
  const isPast = list.order === 'newestFirst' && found < facts.filledFrom
  const next = isPast ? null : following
  const isEnd = next === null
  const oldest = isOrdered && from.storedFrom < found ? from.storedFrom : found
  const isWhole = isEnd && ending !== 'endless'
  const end = endOfList(since, found, { count, facts })
  const whole = isPast ? later(oldest, facts.filledFrom) : isWhole && end.start < oldest ? end.start : oldest
  const { storedTo } = from
  const bound = boundAfter(list, from.since, nowMs)
  // A page that was read before is no ground.
  const hasGained = isEnd || (isOrdered ? oldest < from.storedFrom : 2 * facts.unstored > page.threats.length)
  const state = withCrawls(
    {
      ...from,
      // A list without order shows nothing before its end.
      storedFrom: isOrdered || isEnd ? whole : storedTo,
      since: bound,
      beyond: !isEnd ? 'notRead' : isPast ? 'historyLimit' : ending === 'endless' ? 'cutOff' : end.beyond,
      storedTo: isEnd && !isOrdered && storedTo < reading.startedAt ? reading.startedAt : storedTo,
      lastReadAt: iso(nowMs),
      list: isEnd
        ? { ...list, total: shortfall, isDue: false, isEmpty: isEmpty && count === 0 ? null : false }
        : list,
      checks: isWhole ? checkedAll({ storedFrom: whole, storedTo }, reading.startedAt, reading) : from.checks,
    },
    { fill: next && { cursor: bound === from.since ? next : null }, catchUp: from.catchUp },
  )
  const backoffs = hasGained ? withoutBackoff(facts.backoffs, 'older') : facts.backoffs
  const pausedUntilMs = facts.elapsedMs + deepPauseOf(facts)
  return {
    ...NOTHING_ELSE,
    state,
    page,
    reading,
    backoffs: isBackgroundFill(state, facts) ? pauseUntil(backoffs, 'older', pausedUntilMs) : backoffs,
    listed: { crawl: 'older', isStart: cursor === null, goesOn: next !== null },
    expected: ending === 'end' && isEnd ? comparedWith(page, since) : null,
    reread: isWhole ? { from: since ?? iso(0), since: reading.startedAt } : null,
    isTotalInDoubt: isInDoubt(isWhole ? shortfall : null, { since, reading }),
    doubtfulEnd: isWhole && !isPast && !isEmpty && end.isDoubtful ? reading.listed : null,
  }
}

/** All that is stored was read from the list. */
function checkedAll(
  stored: Pick<StoredState, 'storedFrom' | 'storedTo'>,
  at: string,
  { pages }: Reading,
): Checks {
  const all = Math.ceil(pages / monthsOf(stored))
  return {
    ...NO_CHECKS,
    all: { from: stored.storedFrom, at },
    allTriedAt: at,
    pages: { ...NO_CHECKS.pages, all },
  }
}

/** The vendor has no record at all, however old: nothing is stored, and that is all there is. */
function afterEmpty(
  { from, bound, startedAt, dataVersion }: NewerStep,
  { page, list, reading }: Read,
  facts: Facts,
): Outcome {
  const isKnown = from.list.isEmpty === true
  const start = startOfEmpty(bound, facts)
  const storedFrom = isKnown && from.storedFrom < start ? later(from.storedFrom, facts.keptFrom) : start
  const read = {
    ...from,
    since: bound,
    beyond: 'endOfList' as const,
    storedFrom,
    storedTo: startedAt,
    reconciledAt: startedAt,
    lastReadAt: iso(facts.nowMs),
    nextReadAt: nextReadAt(facts),
    dataVersion,
    list: { ...list, isEmpty: true },
    checks: checkedAll({ storedFrom, storedTo: startedAt }, startedAt, reading),
    recheck: null,
  }
  return {
    ...NOTHING_ELSE,
    state: withCrawls(read, { fill: null, catchUp: null }),
    page,
    reading,
    backoffs: withoutBackoff(facts.backoffs, 'newer'),
    isFirst: !isKnown,
  }
}

/** Reads one page further from the newest record back to what is stored, or to what is compared. */
function afterNewer(step: NewerStep, read: Read, facts: Facts & PageFacts): Outcome {
  const { crawl, from, bound, cursor, startedAt, until, dataVersion } = step
  const { page, ending, next: following, reading, oldest, list, since, shortfall } = read
  const isUnbounded = crawl === 'newer' && step.since === null
  if (isUnbounded && read.isEmpty && facts.countStored === 0) return afterEmpty(step, read, facts)
  const bounded = withinBound(step)
  if (bounded) return { kind: 'ask', step: bounded }

  const isStart = cursor === null
  const { backoffs, nowMs, newestAt } = facts
  const isRedacted = isStart ? (redactionOf(page.threats) ?? from.isRedacted) : from.isRedacted
  // Withheld fields, and records from before the plan's range, are read again with the rest.
  const isOpened = from.isRedacted && !isRedacted
  const isWidened = crawl === 'recheck' && isStart && from.since === null && since !== null
  const isReadAgain = isOpened || isWidened
  const fill = isReadAgain ? { cursor: null } : crawlsOf(from).fill
  if (list.order === 'none' && from.list.order !== 'none') {
    // Records may be missing that count as stored: all of the list is read again, and claimed at its end.
    const bound = boundAfter(list, from.since, nowMs)
    const unclaimed = { ...from, list, storedFrom: from.storedTo, lastReadAt: iso(nowMs), recheck: null }
    return { ...NOTHING_ELSE, state: readAgain(unclaimed, bound), page, reading, backoffs }
  }
  // A list that does not begin with the newest that is stored may begin elsewhere.
  const isTop =
    reading.pages > 1 ||
    reading.newest === null ||
    newestAt === null ||
    iso(reading.newest + OVERLAP_MS) >= newestAt
  const isOrdered = list.order === 'newestFirst'
  const isPast = isOrdered && isTop && oldest < until
  const next = isPast ? null : following
  const isDone = next === null
  const isWhole = isDone && (ending === 'end' || isPast)
  // A list that breaks off above what is stored leaves a gap: the next crawl begins anew.
  const isClosed =
    isWhole || (isOrdered ? oldest < until || oldest < iso(Date.parse(from.storedTo) - OVERLAP_MS) : isDone)
  const isReconciled = isDone && Date.parse(until) <= Date.parse(startedAt) - RECENT_MS
  const isAll = isReconciled && until <= (bound ?? iso(0))
  const isLonger = isReconciled && until <= startOfLonger(bound, Date.parse(startedAt))
  const isListsEnd = ending === 'end' && isDone
  const end = endOfList(since, oldest, { count: facts.countStored, facts, before: from })
  const { start } = end
  // A comparison from a later bound says nothing of what lies before it.
  const isWholeList = since === null || since === bound
  const isDeeper = isListsEnd && isWholeList && reading.listed > 0 && start <= from.storedFrom
  const isGoneKnown = isReconciled && isWhole && reading.listed > 0 && reading.unreadable === 0 && !shortfall
  const known = isAll
    ? {
        total: shortfall,
        isDue: false,
        endlessPages: ending === 'endless' ? reading.pages : null,
        isEmpty: read.isEmpty && facts.countStored === 0 ? null : false,
      }
    : isReconciled && read.isEmpty && facts.countStored === 0
      ? { isEmpty: null }
      : {}
  const isPagingKnown = isClosed && fill === null && list.paging === 'refused'
  // A comparison says nothing of the newest records, which other looks find.
  const newest = crawl === 'newer' && {
    since: isOpened ? boundOf(facts) : bound,
    storedTo: isClosed ? startedAt : from.storedTo,
    lastReadAt: iso(nowMs),
    nextReadAt: isDone ? nextReadAt(facts, isOrdered ? 1 : reading.pages) : from.nextReadAt,
    dataVersion,
  }
  const isChecked = isReconciled && isWhole && reading.listed > 0
  const checkedFrom = isAll ? (isListsEnd ? start : until) : until
  const stored = {
    ...from,
    ...newest,
    ...(isWidened && { since }),
    isRedacted,
    storedFrom: later(isDeeper ? start : from.storedFrom, facts.keptFrom),
    beyond: isReadAgain ? ('notRead' as const) : isDeeper && fill === null ? end.beyond : from.beyond,
    reconciledAt: isReconciled ? startedAt : from.reconciledAt,
    list: { ...list, ...known, ...(isPagingKnown && { paging: 'cursor' as const }) },
    checks: isReconciled
      ? checksAfter(from.checks, {
          name: isLonger ? 'all' : 'recent',
          check: isChecked ? { from: checkedFrom, at: startedAt } : null,
          triedAt: startedAt,
          pages: isAll ? Math.ceil(reading.pages / monthsOf(from)) : reading.pages,
        })
      : from.checks,
    recheck: crawl === 'recheck' ? next && { cursor: next, startedAt, until } : from.recheck,
  }
  const compared = comparedWith(page, bound, isAll && isListsEnd)
  const isCompared = since === bound && isDone && fill === null
  return {
    ...NOTHING_ELSE,
    state: withCrawls(stored, {
      fill,
      catchUp: crawl === 'newer' ? next && { cursor: next, startedAt, until } : crawlsOf(from).catchUp,
    }),
    page,
    reading,
    backoffs: isDone ? withoutBackoff(backoffs, crawl) : backoffs,
    listed: isStart && isDone && !isReconciled ? null : { crawl, isStart, goesOn: next !== null },
    gone: isGoneKnown
      ? {
          from: isListsEnd && isAll ? start : later(iso(Date.parse(until) + OVERLAP_MS), oldest),
          // A list's end has all that it holds before it, whatever its time.
          to: isListsEnd ? null : startedAt,
          isDatedOnly: !(isListsEnd && isAll),
          revision: reading.revision,
          crawl,
          isSure: ending === 'end' && reading.said !== null && reading.listed >= reading.said,
          repeatUntil: from.checks.repeatUntil === null ? until : null,
        }
      : null,
    reread: isWhole ? { from: isListsEnd && isAll ? iso(0) : until, since: startedAt } : null,
    expected: compared && isCompared && (isStart || isReconciled) ? compared : null,
    isTotalInDoubt: isInDoubt(isAll ? shortfall : null, { since, reading }),
  }
}

function comparedWith(
  { total }: CrawlPage,
  since: string | null,
  isAfterAll = false,
): StoreOutcome['expected'] {
  return total !== null && since !== null ? { total, since, isAfterAll } : null
}

function checksAfter(
  before: Checks,
  made: { name: Comparison; check: Check | null; triedAt: string; pages: number },
): Checks {
  const { name, check, triedAt, pages } = made
  const deepest = before.whole ?? before.all
  const whole = check && deepest && deepest.from < check.from ? deepest : null
  return {
    ...before,
    ...(check && { [name]: check, whole }),
    allTriedAt: name === 'all' ? triedAt : before.allTriedAt,
    pages: { ...before.pages, [name]: pages },
    repeatUntil: null,
  }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

/** If records came from before its bound, the list has none, and its total counts all that was read. */
function isInDoubt(
  shortfall: KnownList['total'],
  { since, reading: { oldest } }: { since: string | null; reading: Reading },
): boolean {
  return shortfall !== null && since !== null && (oldest === null || oldest >= Date.parse(since) - DAY_MS)
}

export const NOTHING_ELSE = {
  kind: 'store',
  reading: null,
  isFirst: false,
  listed: null,
  gone: null,
  reread: null,
  expected: null,
  isTotalInDoubt: false,
  doubtfulEnd: null,
} as const

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** A look that takes several pages comes as much less often, but every day. */
export function nextReadAt(facts: Facts, pages = 1): string {
  const paceMs = paceOf(facts)
  return iso(facts.nowMs + Math.max(paceMs, Math.min(pages * paceMs, DAY_MS)))
}

/** Returns true if a page comes from a key that withholds fields; null if its records do not agree. */
function redactionOf(threats: readonly Threat[]): boolean | null {
  const redacted = threats.filter(({ redacted }) => redacted.length > 0).length
  if (threats.length === 0 || (redacted > 0 && redacted < threats.length)) return null
  return redacted > 0
}
