import { earlier, iso, later } from '#bff/time/iso-time.ts'
import { pauseUntil, withoutBackoff } from './backoff.ts'
import {
  boundOf,
  type Facts,
  type FirstStep,
  isBackgroundFill,
  type NewerStep,
  type OlderStep,
  readAgain,
  type Step,
  withinBound,
} from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import type { Cursor } from './crawl-cursor.ts'
import { deepPauseOf } from './deep-fill.ts'
import { boundAfter, endOfList, type ListEnd, startOfEmpty } from './list-end.ts'
import { comparedWith, NOTHING_ELSE, type Outcome, type StoreOutcome } from './outcome.ts'
import { nextReadAt } from './pace.ts'
import { type PageFacts, type Read, readPage } from './read-page.ts'
import { type KnownList, OVERLAP_MS, UNKNOWN_LIST } from './reading.ts'
import { checkedAll, monthsOf, RECENT_MS, startOfLonger } from './recheck.ts'
import { type Checks, crawlsOf, type FillingState, NO_CHECKS, withCrawls } from './sync-state.ts'

/** Decides what follows an answer. */
export function afterPage(step: Step, page: CrawlPage, facts: Facts & PageFacts): Outcome {
  const read = readPage(step, page, facts)
  if (step.crawl === 'first') {
    const countStored = page.threats.length
    return { ...afterOlder(beginFill(step, read, facts), read, { ...facts, countStored }), isFirst: true }
  }
  if (step.crawl === 'older') return afterOlder(step, read, facts)
  const meaning = meaningOf(step, read, facts)
  if (meaning.kind === 'noRecords') return afterNoRecords(step, read, facts)
  if (meaning.kind === 'hasRecords') return { kind: 'request', step: meaning.step }
  return meaning.kind === 'orderLost'
    ? afterLostOrder(step, read, facts)
    : afterNewer(step, read, facts, meaning)
}

/** How far a crawl has come with a page. */
type Progress =
  | { kind: 'goesOn'; next: Cursor }
  /** The list, newest first, has passed the time that the crawl goes back to. */
  | { kind: 'reached' }
  | { kind: 'listEnd' }
  /** The list has no end, or leads in a circle. */
  | { kind: 'cutOff' }

/** Meaning of a page of the newest records. */
type Meaning =
  | Progress
  /** The vendor has no record at all, however old. */
  | { kind: 'noRecords' }
  /** The vendor has records, so those within the list's bound are requested. */
  | { kind: 'hasRecords'; step: Step }
  /** A list that seemed to be newest first has no order. */
  | { kind: 'orderLost' }

function meaningOf(step: NewerStep, read: Read, facts: Facts & PageFacts): Meaning {
  const { list, reading, ending, next, oldest } = read
  const isUnbounded = step.crawl === 'newer' && step.since === null
  if (isUnbounded && read.isEmpty && facts.countStored === 0) return { kind: 'noRecords' }
  const bounded = withinBound(step)
  if (bounded) return { kind: 'hasRecords', step: bounded }
  if (list.order === 'none' && step.from.list.order !== 'none') return { kind: 'orderLost' }
  if (ending === 'end') return { kind: 'listEnd' }
  // A list that does not begin with the newest that is stored may begin elsewhere.
  const isTop =
    reading.pages > 1 ||
    reading.newest === null ||
    facts.newestAt === null ||
    iso(reading.newest + OVERLAP_MS) >= facts.newestAt
  if (list.order === 'newestFirst' && isTop && oldest < step.until) return { kind: 'reached' }
  return next ? { kind: 'goesOn', next } : { kind: 'cutOff' }
}

/** The vendor has no record at all: nothing is stored, and that is all there is. */
function afterNoRecords(step: NewerStep, { page, list, reading }: Read, facts: Facts): StoreOutcome {
  const { from, bound, startedAt, dataVersion } = step
  const isKnown = from.list.isEmpty === true
  const start = startOfEmpty(bound, facts)
  const storedFrom = isKnown && from.storedFrom < start ? later(from.storedFrom, facts.keptFrom) : start
  const stored = {
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
    checks: checkedAll({ storedFrom, storedTo: startedAt }, reading),
    recheck: null,
  }
  return {
    ...NOTHING_ELSE,
    state: withCrawls(stored, { fill: null, catchUp: null }),
    page,
    reading,
    backoffs: withoutBackoff(facts.backoffs, 'newer'),
    isFirst: !isKnown,
  }
}

/** Records may be missing that count as stored: all of the list is read again, and claimed at its end. */
function afterLostOrder({ from }: NewerStep, { page, list, reading }: Read, facts: Facts): StoreOutcome {
  const { nowMs, backoffs } = facts
  const unclaimed = { ...from, list, storedFrom: from.storedTo, lastReadAt: iso(nowMs), recheck: null }
  const state = readAgain(unclaimed, boundAfter(list, from.since, nowMs))
  return { ...NOTHING_ELSE, state, page, reading, backoffs }
}

/** A crawl that is over has compared so much of the list: nothing, two days, 30 days or all of it. */
type Compared = 'nothing' | 'recent' | 'month' | 'all'

function comparedBy({ bound, startedAt, until }: NewerStep): Compared {
  const startedMs = Date.parse(startedAt)
  if (Date.parse(until) > startedMs - RECENT_MS) return 'nothing'
  if (until <= (bound ?? iso(0))) return 'all'
  return until <= startOfLonger(bound, startedMs) ? 'month' : 'recent'
}

/** Facts that a crawl from the newest record back has proved with a page. */
type Proof = {
  /** Null once the crawl is over. */
  next: Cursor | null
  isCutOff: boolean
  /** All records back to the crawl's target, or to the list's end, were read. */
  isWhole: boolean
  compared: Compared
  /** End of the list; null if the crawl has not met it. */
  end: ListEnd | null
  /** The list begins here, as a comparison of everything has found. */
  listStart: string | null
}

function proofOf(step: NewerStep, read: Read, facts: Facts & PageFacts, progress: Progress): Proof {
  const next = progress.kind === 'goesOn' ? progress.next : null
  const compared = next ? 'nothing' : comparedBy(step)
  const count = { count: facts.countStored, facts, before: step.from }
  const end = progress.kind === 'listEnd' ? endOfList(read.since, read.oldest, count) : null
  return {
    next,
    isCutOff: progress.kind === 'cutOff',
    isWhole: progress.kind === 'reached' || progress.kind === 'listEnd',
    compared,
    end,
    listStart: compared === 'all' && end ? end.start : null,
  }
}

/** Reads one page further from the newest record back to what is stored, or to what is compared. */
function afterNewer(step: NewerStep, read: Read, facts: Facts & PageFacts, progress: Progress): StoreOutcome {
  const { crawl, from, bound, startedAt, until } = step
  const { page, reading, since } = read
  const proof = proofOf(step, read, facts, progress)
  const { next, isWhole, compared, end, listStart } = proof
  const isStart = step.cursor === null
  const isRedacted = (isStart ? read.isRedacted : null) ?? from.isRedacted
  // Withheld fields, and records from before the plan's range, are read again with the rest.
  const isOpened = from.isRedacted && !isRedacted
  const isWidened = crawl === 'recheck' && isStart && from.since === null && since !== null
  const fill = isOpened || isWidened ? { cursor: null } : crawlsOf(from).fill
  // A comparison from a later bound shows nothing of what lies before it.
  const isWholeList = since === null || since === bound
  const deeper = end && isWholeList && reading.listed > 0 && end.start <= from.storedFrom ? end : null
  const isClosed = isWhole || closesGap(step, read, proof)
  const newest = crawl === 'newer' && {
    since: isOpened ? boundOf(facts) : bound,
    storedTo: isClosed ? startedAt : from.storedTo,
    lastReadAt: iso(facts.nowMs),
    nextReadAt: next
      ? from.nextReadAt
      : nextReadAt(facts, read.list.order === 'newestFirst' ? 1 : reading.pages),
    dataVersion: step.dataVersion,
  }
  const list = listAfter(read, proof, facts)
  const stored = {
    ...from,
    ...newest,
    ...(isWidened && { since }),
    isRedacted,
    storedFrom: later(deeper?.start ?? from.storedFrom, facts.keptFrom),
    beyond: isOpened || isWidened ? ('notRead' as const) : deeper && !fill ? deeper.beyond : from.beyond,
    reconciledAt: compared === 'nothing' ? from.reconciledAt : startedAt,
    list: isClosed && !fill && list.paging === 'refused' ? { ...list, paging: 'cursor' as const } : list,
    checks: checksAfter(step, read, proof),
    recheck: crawl === 'recheck' ? next && { cursor: next, startedAt, until } : from.recheck,
  }
  const catchUp = crawl === 'newer' ? next && { cursor: next, startedAt, until } : crawlsOf(from).catchUp
  const isTotalOfBound = since === bound && !next && !fill && (isStart || compared !== 'nothing')
  return {
    ...NOTHING_ELSE,
    state: withCrawls(stored, { fill, catchUp }),
    page,
    reading,
    backoffs: next ? facts.backoffs : withoutBackoff(facts.backoffs, crawl),
    listed: isStart && !next && compared === 'nothing' ? null : { crawl, isStart, goesOn: next !== null },
    deleted: deletedRange(step, read, proof),
    reread: isWhole ? { from: listStart === null ? until : iso(0), since: startedAt } : null,
    expected: isTotalOfBound ? comparedWith(page, bound, listStart !== null) : null,
    isTotalInDoubt: compared === 'all' && read.isTotalInDoubt,
  }
}

/** A list that breaks off above what is stored leaves a gap: the next crawl begins anew. */
function closesGap({ from, until }: NewerStep, { list, oldest }: Read, { next }: Proof): boolean {
  if (list.order !== 'newestFirst') return next === null
  return oldest < until || oldest < iso(Date.parse(from.storedTo) - OVERLAP_MS)
}

function listAfter(
  { list, reading, shortfall, isEmpty }: Read,
  { compared, isCutOff }: Proof,
  { countStored }: PageFacts,
): KnownList {
  // The next request without a bound shows whether the vendor has any record.
  const isNoneFound = isEmpty && countStored === 0
  if (compared !== 'all') return compared !== 'nothing' && isNoneFound ? { ...list, isEmpty: null } : list
  return {
    ...list,
    total: shortfall,
    isDue: false,
    endlessPages: isCutOff ? reading.pages : null,
    isEmpty: isNoneFound ? null : false,
  }
}

function checksAfter(
  { from: { checks, ...stored }, startedAt, until }: NewerStep,
  { reading: { pages, listed } }: Read,
  { compared, isWhole, listStart }: Proof,
): Checks {
  if (compared === 'nothing') return checks
  const name = compared === 'recent' ? 'recent' : 'all'
  const check = isWhole && listed > 0 ? { from: listStart ?? until, at: startedAt } : null
  const deepest = checks.whole ?? checks.all
  const whole = check && deepest && deepest.from < check.from ? deepest : null
  return {
    ...checks,
    ...(check && { [name]: check, whole }),
    allTriedAt: name === 'all' ? startedAt : checks.allTriedAt,
    pages: { ...checks.pages, [name]: compared === 'all' ? Math.ceil(pages / monthsOf(stored)) : pages },
    repeatUntil: null,
  }
}

/** Stored records of a compared range that the list lacks are deleted at the vendor, if all of it was readable. */
function deletedRange(
  { crawl, from, startedAt, until }: NewerStep,
  { reading, oldest, shortfall, ending }: Read,
  { compared, isWhole, end, listStart }: Proof,
): StoreOutcome['deleted'] {
  const isReadable = reading.listed > 0 && reading.unreadable === 0 && !shortfall
  if (compared === 'nothing' || !isWhole || !isReadable) return null
  return {
    from: listStart ?? later(iso(Date.parse(until) + OVERLAP_MS), oldest),
    // A list that has ended shows all that it holds before, whatever its time.
    to: end ? null : startedAt,
    isDatedOnly: listStart === null,
    revision: reading.revision,
    crawl,
    isSure: ending === 'end' && reading.said !== null && reading.listed >= reading.said,
    repeatUntil: from.checks.repeatUntil === null ? until : null,
  }
}

/** The state before a first page: nothing is stored yet. */
function beginFill(step: FirstStep, { isEmpty, isRedacted }: Read, facts: Facts): OlderStep {
  const { set, since, startedAt, dataVersion } = step
  const { source, keys, nowMs } = facts
  const from: FillingState = {
    source,
    keys,
    set,
    storedFrom: startedAt,
    storedTo: startedAt,
    since,
    beyond: 'notRead',
    isRedacted: isRedacted ?? false,
    reconciledAt: startedAt,
    lastReadAt: startedAt,
    // The next request shows whether the vendor has older records.
    nextReadAt: isEmpty ? iso(nowMs) : nextReadAt(facts),
    dataVersion,
    list: UNKNOWN_LIST,
    checks: NO_CHECKS,
    recheck: null,
    revision: 0,
    status: 'filling',
    fill: { cursor: null },
    catchUp: null,
  }
  return { crawl: 'older', from, set, since, cursor: null }
}

/** Reads one page further into the past. */
function afterOlder(step: OlderStep, read: Read, facts: Facts & PageFacts): StoreOutcome {
  const { from, since } = step
  const { page, reading, list, shortfall } = read
  const { countStored: count, nowMs } = facts
  const isOrdered = list.order !== 'none'
  const isPast = list.order === 'newestFirst' && read.oldest < facts.filledFrom
  const next = isPast ? null : read.next
  const isEnd = next === null
  const isWhole = isPast || read.ending === 'end'
  const end = endOfList(since, read.oldest, { count, facts })
  const oldest = isOrdered ? earlier(from.storedFrom, read.oldest) : read.oldest
  const listStart = isPast ? later(oldest, facts.filledFrom) : isWhole ? earlier(end.start, oldest) : oldest
  // A list without order shows nothing before its end.
  const storedFrom = isOrdered || isEnd ? earlier(listStart, from.storedTo) : from.storedTo
  const ended = isPast ? 'historyLimit' : isWhole ? end.beyond : 'cutOff'
  const bound = boundAfter(list, from.since, nowMs)
  // A page that was read before is no progress.
  const hasGained = isEnd || (isOrdered ? oldest < from.storedFrom : 2 * facts.unstored > page.threats.length)
  const state = withCrawls(
    {
      ...from,
      storedFrom,
      since: bound,
      beyond: isEnd ? ended : 'notRead',
      storedTo: isEnd && !isOrdered ? later(from.storedTo, reading.startedAt) : from.storedTo,
      lastReadAt: iso(nowMs),
      list: isEnd
        ? { ...list, total: shortfall, isDue: false, isEmpty: read.isEmpty && count === 0 ? null : false }
        : list,
      checks: isWhole ? checkedAll({ ...from, storedFrom }, reading) : from.checks,
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
    listed: { crawl: 'older', isStart: step.cursor === null, goesOn: !isEnd },
    expected: read.ending === 'end' ? comparedWith(page, since) : null,
    reread: isWhole ? { from: since ?? iso(0), since: reading.startedAt } : null,
    isTotalInDoubt: read.isTotalInDoubt,
    doubtfulEnd: isWhole && !isPast && !read.isEmpty && end.isDoubtful ? reading.listed : null,
  }
}
