import { earlier, iso, later } from '#bff/time/iso-time.ts'
import { pauseUntil, withoutBackoff } from './backoff.ts'
import { NO_CHECKS } from './checks.ts'
import { type Facts, type FirstStep, isBackgroundFill, type OlderStep } from './choose-step.ts'
import { deepPauseOf } from './deep-fill.ts'
import { boundAfter, endOfList } from './list-end.ts'
import { comparedWith, NOTHING_ELSE, type StoreOutcome } from './outcome.ts'
import { nextReadAt } from './pace.ts'
import type { PageFacts, Read } from './read-page.ts'
import { UNKNOWN_LIST } from './reading.ts'
import { checkedAll } from './recheck.ts'
import { type FillingState, withCrawls } from './sync-state.ts'

/** The state before a first page: nothing is stored yet. */
export function beginFill(step: FirstStep, { isEmpty, isRedacted }: Read, facts: Facts): OlderStep {
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
export function afterOlder(step: OlderStep, read: Read, facts: Facts & PageFacts): StoreOutcome {
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
