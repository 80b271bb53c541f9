import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import {
  ago,
  cursorAt,
  follow,
  makeFacts,
  makeFilling,
  older,
  pageOf,
} from '#test/support/store/sync-facts.ts'
import { NO_BACKOFF } from './backoff.ts'
import { chooseStep, type Facts, isBackgroundFill, waitAfter } from './choose-step.ts'
import { plannedDeepCalls } from './deep-fill.ts'
import { beginReading } from './reading.ts'

const LATER = ago(-HOUR_MS)
const HISTORY = { filledFrom: ago(400 * DAY_MS), keptFrom: ago(400 * DAY_MS) }

/** It was read back to so many days ago, and polls for new records are due in an hour. */
function makeRead(days: number) {
  const reading = { ...beginReading(ago(HOUR_MS), 0), pages: 9, oldest: Date.parse(ago(days * DAY_MS)) }
  const fill = { cursor: { ...cursorAt('older'), reading } }
  return makeFilling({ storedFrom: ago(days * DAY_MS), since: HISTORY.filledFrom, fill, nextReadAt: LATER })
}

const dayOf = (limit: number, remaining: number): Partial<Facts> => ({
  ...HISTORY,
  budgets: {
    minute: { limit: 10, remaining: 10, resetsAt: null },
    day: { limit, remaining, resetsAt: ago(-2 * HOUR_MS) },
  },
})

test.each<[string, number, Partial<Facts>, 'older' | null]>([
  ['the first 30 days whatever is spare', 20, dayOf(100, 20), 'older'],
  ['older records with calls that are spare', 40, dayOf(100, 60), 'older'],
  ['nothing older where people or looks may need what is left', 40, dayOf(100, 15), null],
  ['older records where calls cost nothing', 40, { ...dayOf(100, 20), isFree: true }, 'older'],
  ['older records where no limit is reported', 40, HISTORY, 'older'],
])('a fill reads %s', (_, days, some, crawl) => {
  expect(chooseStep(makeRead(days), makeFacts(some), true).crawl).toBe(crawl)
})

test('without spare calls, reads one page of the past every six hours', () => {
  const chosenAt = (hours: number, pausedUntilMs: number) => {
    const backoffs = { ...NO_BACKOFF, older: { ...NO_BACKOFF.older, pausedUntilMs } }
    const facts = makeFacts({ ...dayOf(100, 15), elapsedMs: hours * HOUR_MS, backoffs })
    return chooseStep(makeRead(40), facts, true).crawl
  }
  expect(chosenAt(5.9, 0)).toBeNull()
  expect(chosenAt(6, 0)).toBe('older')
  expect(chosenAt(6, HOUR_MS)).toBeNull()
  expect(chosenAt(7, HOUR_MS)).toBe('older')
})

test('reads days beyond the first 30 in the background, unless calls are free', () => {
  expect(isBackgroundFill(makeRead(29), makeFacts())).toBe(false)
  expect(isBackgroundFill(makeRead(40), makeFacts())).toBe(true)
  expect(isBackgroundFill(makeRead(40), makeFacts({ isFree: true }))).toBe(false)
})

test('spreads spare calls over the rest of the day, at most a tenth of a large plan', () => {
  const waitOf = (some: Partial<Facts>) => {
    const step = older(makeRead(40))
    const page = pageOf([41 * DAY_MS], { next: cursorAt('next') })
    const outcome = follow(step, page, some)
    return outcome.kind === 'store' ? outcome.backoffs.older.pausedUntilMs : null
  }
  expect(waitOf(dayOf(100, 60))).toBeLessThan(10 * 60_000)
  expect(waitOf(dayOf(1_000, 900))).toBe(DAY_MS / 100)
  expect(waitOf({ ...dayOf(100, 20), isFree: true })).toBe(0)
})

test('polls for new records are planned with the calls of a large plan that the past takes', () => {
  expect(plannedDeepCalls(makeRead(40), makeFacts(dayOf(1_000, 900)))).toBeCloseTo(100 / 12)
  expect(plannedDeepCalls(makeRead(20), makeFacts(dayOf(1_000, 900)))).toBe(0)
  expect(plannedDeepCalls(makeRead(40), makeFacts(dayOf(100, 60)))).toBe(0)
})

test('a fill in the background does not delay a poll for new records', () => {
  const state = { ...makeRead(40), nextReadAt: ago(-1_000) }
  expect(waitAfter(state, makeFacts(dayOf(100, 15)))).toBe(1_000)
})
