import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { knownBudget, MIDNIGHT_MS, NOON_MS, periodOf, usageOf } from '#test/support/quota/budgets.ts'
import {
  type BudgetState,
  callsLeft,
  dayStartMs,
  expireState,
  freeAtMs,
  minuteStartMs,
  toSetState,
  UNKNOWN_BUDGET,
} from './budget-state.ts'

/** The clocks of processes may differ by this much. */
const SKEW_MS = 60_000
const words = null

describe('after the clock was set back', () => {
  const untilMs = NOON_MS + HOUR_MS
  const timed = {
    block: { untilMs, kind: 'rate_limited' as const },
    forbidden: { untilMs, words },
    forbiddenRoutes: { listFeed: { untilMs, words } },
    breaker: { untilMs, forMs: 30_000 },
  }

  test.each<[string, (atMs: number) => Partial<BudgetState>]>([
    ['an answer', (answeredAtMs) => ({ answeredAtMs })],
    ['a failure', (atMs) => ({ answeredAtMs: null, lastFailure: { atMs, why: 'timeout' } })],
    ['a probe', (atMs) => ({ answeredAtMs: null, probe: { callId: 1, untilMs: atMs + 12_000 } })],
  ])('no time is valid that was written with %s', (_, writtenAt) => {
    const day = periodOf({ remaining: 3, resetsAtMs: untilMs })
    const written = (atMs: number) => knownBudget({ ...timed, day, own: null, ...writtenAt(atMs) })
    const kept = written(NOON_MS + SKEW_MS)
    expect(expireState(kept, NOON_MS)).toEqual(kept)
    expect(expireState(written(NOON_MS + SKEW_MS + 1), NOON_MS)).toEqual({
      ...UNKNOWN_BUDGET,
      isPermitted: true,
      day: { ...day, remaining: null, resetsAtMs: untilMs - DAY_MS, reportedAtMs: NOON_MS },
    })
  })

  test('the day begins when it did, so that its own calls stay counted', () => {
    const day = periodOf({ remaining: 3, resetsAtMs: untilMs })
    const minutesLater = knownBudget({ day, answeredAtMs: NOON_MS + 3 * SKEW_MS })
    const after = expireState(minutesLater, NOON_MS).day
    expect(after?.remaining).toBeNull()
    expect(dayStartMs(after, NOON_MS)).toBe(dayStartMs(day, NOON_MS))
  })
})

test('forbidden routes are forgotten one by one, when their time is over', () => {
  const forbiddenRoutes = { over: { untilMs: NOON_MS, words }, soon: { untilMs: NOON_MS + 1, words } }
  const { forbiddenRoutes: kept } = expireState(knownBudget({ forbiddenRoutes }), NOON_MS)
  expect(Object.keys(kept)).toEqual(['soon'])
})

test('routes that the vendor does not have stay known when their time is over', () => {
  const absent = { forMs: 2 * HOUR_MS }
  const forbiddenRoutes = {
    over: { untilMs: NOON_MS - 1, words, absent },
    soon: { untilMs: NOON_MS + 1, words, absent },
  }
  const { forbiddenRoutes: kept } = expireState(knownBudget({ forbiddenRoutes }), NOON_MS)
  expect(Object.keys(kept)).toEqual(['over', 'soon'])
})

describe('a day', () => {
  test('begins at midnight UTC if no reset was reported', () => {
    expect(dayStartMs(null, NOON_MS)).toBe(MIDNIGHT_MS - DAY_MS)
    expect(dayStartMs(null, MIDNIGHT_MS)).toBe(MIDNIGHT_MS)
    expect(dayStartMs(null, MIDNIGHT_MS - 1)).toBe(MIDNIGHT_MS - DAY_MS)
  })

  test('begins at its reset, also days after the report', () => {
    const day = { resetsAtMs: MIDNIGHT_MS + 7 * HOUR_MS }
    expect(dayStartMs(day, NOON_MS)).toBe(MIDNIGHT_MS - DAY_MS + 7 * HOUR_MS)
    expect(dayStartMs(day, MIDNIGHT_MS + 6 * HOUR_MS)).toBe(MIDNIGHT_MS - DAY_MS + 7 * HOUR_MS)
    expect(dayStartMs(day, MIDNIGHT_MS + 3 * DAY_MS + 7 * HOUR_MS)).toBe(
      MIDNIGHT_MS + 3 * DAY_MS + 7 * HOUR_MS,
    )
  })
})

test('a minute of the vendor is a second longer by our clock', () => {
  expect(minuteStartMs(NOON_MS)).toBe(NOON_MS - 61_000)
})

describe('the calls left', () => {
  const left = (period: Parameters<typeof periodOf>[0], used: Parameters<typeof usageOf>[0]) =>
    callsLeft(periodOf(period), usageOf(used).minute, NOON_MS)

  test.each([
    ['as reported, without those since', { remaining: 3 }, { sinceReported: 1, used: 4 }, 2],
    ['of the limit, without our own', { remaining: 9 }, { used: 4 }, 6],
    ['of the limit, once the reported period is over', { remaining: 0, resetsAtMs: NOON_MS }, { used: 1 }, 9],
    ['as reported, until its last millisecond', { remaining: 0, resetsAtMs: NOON_MS + 1 }, {}, 0],
    ['of the limit, where what is left was not told', { remaining: null }, { used: 4 }, 6],
    ['as reported, where the limit was not told', { limit: null, remaining: 3 }, { used: 9 }, 3],
    ['none, when more went out than it allows', { remaining: 1 }, { sinceReported: 3, used: 30 }, 0],
    ['any, where nothing was told', { limit: null, remaining: null }, { used: 9 }, Number.POSITIVE_INFINITY],
    ['of a guessed limit', { remaining: null, guessedUntilMs: NOON_MS + 1 }, { used: 4 }, 6],
    ['any, when a guess is over', { remaining: null, guessedUntilMs: NOON_MS }, {}, Number.POSITIVE_INFINITY],
  ])('are counted %s', (_, period, minute, expected) => {
    expect(left(period, { minute })).toBe(expected)
  })
})

describe('calls are free again', () => {
  const state = knownBudget({ minute: periodOf({ resetsAtMs: NOON_MS + 20_000 }) })
  test.each([
    ['at the reset of the minute', state, null, 20_000],
    ['when our first call is a minute old, if that is later', state, -10_000, 51_000],
    ['at the reset, if that is later', state, -50_000, 20_000],
    ['when our first call is a minute old, without a reset', knownBudget(), -50_000, 11_000],
    ['now, if nothing holds them', knownBudget(), null, 0],
    ['now, if all that held them is over', knownBudget({ minute: periodOf({ resetsAtMs: 0 }) }), -90_000, 0],
  ])('%s', (_, budget, oldestMs, waitMs) => {
    const minute = { oldestMs: oldestMs === null ? null : NOON_MS + oldestMs }
    expect(freeAtMs('minute', budget, usageOf({ minute }), NOON_MS)).toBe(NOON_MS + waitMs)
  })

  test('at the end of the day', () => {
    expect(freeAtMs('day', knownBudget(), usageOf(), NOON_MS)).toBe(MIDNIGHT_MS)
    const day = periodOf({ resetsAtMs: MIDNIGHT_MS + HOUR_MS })
    expect(freeAtMs('day', knownBudget({ day }), usageOf(), NOON_MS)).toBe(MIDNIGHT_MS + HOUR_MS)
  })
})

describe('a page shows', () => {
  const shown = (state: Partial<BudgetState>, usage = usageOf()) =>
    toSetState(knownBudget(state), usage, { nowMs: NOON_MS, keyRetryAtMs: null })

  test('whether a set is permitted', () => {
    const forbidden = { untilMs: NOON_MS + 1, words: 'Upgrade' }
    expect(shown({})).toMatchObject({ status: 'permitted', reason: null })
    expect(shown({ isPermitted: false })).toMatchObject({ status: 'unknown', reason: null })
    expect(shown({ forbidden })).toMatchObject({ status: 'forbidden', reason: 'Upgrade' })
    const absent = { ...forbidden, absent: { forMs: HOUR_MS } }
    expect(shown({ isPermitted: false, forbidden: absent })).toMatchObject({
      status: 'absent',
      reason: 'Upgrade',
    })
    expect(shown({ forbidden: absent })).toMatchObject({ status: 'withoutList' })
    const over = { untilMs: NOON_MS, words: 'Upgrade' }
    expect(shown({ forbidden: over })).toMatchObject({ status: 'permitted', reason: null })
  })

  test('until when no call is made', () => {
    const block = (untilMs: number) => shown({ block: { untilMs, kind: 'rate_limited' } }).blockedUntil
    expect(block(NOON_MS + 1)).toBe('2026-03-10T12:00:00.001Z')
    expect(block(NOON_MS)).toBeNull()
    expect(shown({}).blockedUntil).toBeNull()
  })

  test('the calls left of each limit period, and nothing for one never reported', () => {
    const minute = periodOf({ remaining: 7, limit: 10 })
    expect(shown({ minute }, usageOf({ minute: { sinceReported: 2 } })).budgets).toEqual({
      minute: { limit: 10, remaining: 5, resetsAt: '2026-03-10T12:01:00.000Z' },
      day: null,
    })
    expect(shown({ minute: { ...minute, resetsAtMs: NOON_MS } }).budgets.minute?.resetsAt).toBeNull()
  })

  test('the end of a new day at the time of the last one, until an answer reports it', () => {
    const day = periodOf({ limit: 100, resetsAtMs: NOON_MS - 20 * HOUR_MS })
    expect(shown({ day }).budgets.day?.resetsAt).toBe('2026-03-10T16:00:00.000Z')
  })

  test('no number that is not known', () => {
    const day = periodOf({ remaining: null, limit: null, resetsAtMs: NOON_MS })
    expect(shown({ day }).budgets.day).toEqual({ limit: null, remaining: null, resetsAt: null })
    const uncounted = toSetState(knownBudget({ day: periodOf() }), null, {
      nowMs: NOON_MS,
      keyRetryAtMs: null,
    })
    expect(uncounted.budgets.day?.remaining).toBeNull()
  })
})
