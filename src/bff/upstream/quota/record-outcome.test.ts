import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { knownBudget, MIDNIGHT_MS, NOON_MS, periodOf, record } from '#test/support/quota/budgets.ts'
import { type BudgetState, UNKNOWN_BUDGET } from './budget-state.ts'
import { type Outcome, waitKind } from './record-outcome.ts'

const ANSWERED: Outcome = { kind: 'answered' }
const FAILED: Outcome = { kind: 'failed', why: 'unavailable' }
const LAST_FAILURE = { atMs: NOON_MS, why: 'unavailable' } as const

describe('an answer', () => {
  test('permits the set, ends its probe and all that was counted of failures', () => {
    const before: BudgetState = {
      ...UNKNOWN_BUDGET,
      probe: { callId: 2, untilMs: NOON_MS + 1 },
      failures: 7,
      breaker: { untilMs: NOON_MS, forMs: 60_000 },
      unstatedWaits: 3,
    }
    expect(record(before, ANSWERED)).toEqual({ ...UNKNOWN_BUDGET, answeredAtMs: NOON_MS, isPermitted: true })
  })

  test("leaves another call's probe to that one", () => {
    const probe = { callId: 1, untilMs: NOON_MS + 1 }
    expect(record({ ...UNKNOWN_BUDGET, probe }, ANSWERED).probe).toEqual(probe)
  })

  test('reports a demo, a trial and Lantern’s own service, until the next answer does not', () => {
    const own = { data: null, dataWindow: 30, extensions: [] }
    const facts = { isDemo: true, own, trialExpiresAt: '2026-04-01T00:00:00.000Z' }
    const reported = record(knownBudget(), ANSWERED, facts)
    expect(reported).toMatchObject(facts)
    expect(record(reported, ANSWERED)).toMatchObject({ isDemo: false, own: null, trialExpiresAt: null })
    expect(record(reported, ANSWERED, null)).toMatchObject({ isDemo: false, own, trialExpiresAt: null })
  })

  test.each([{ kind: 'refused' }, { kind: 'key_refused', words: null }] as const)(
    'that is $kind changes nothing known of the plan',
    (outcome) => {
      const before = knownBudget({
        isPermitted: false,
        unstatedWaits: 2,
        failures: 3,
        trialExpiresAt: 'then',
      })
      const lastFailure = { atMs: NOON_MS, why: outcome.kind }
      expect(record(before, outcome)).toEqual({ ...before, failures: 0, lastFailure })
    },
  )
})

describe('a refusal by the plan', () => {
  const untilMs = NOON_MS + 15 * 60_000
  const words = 'Upgrade'

  test('closes a set for 15 minutes, until it answers', () => {
    const forbidden = record(knownBudget(), { kind: 'set_forbidden', words })
    expect(forbidden).toMatchObject({ isPermitted: false, forbidden: { untilMs, words } })
    expect(record(forbidden, ANSWERED)).toMatchObject({ isPermitted: true, forbidden: null })
  })

  test('closes a route for 15 minutes, and keeps other routes closed', () => {
    const other = { other: { untilMs: NOON_MS + 1, words: null } }
    const before = knownBudget({ forbiddenRoutes: other })
    const outcome: Outcome = { kind: 'route_forbidden', route: 'readMetrics', words, mayBeOfSet: true }
    expect(record(before, outcome)).toMatchObject({
      isPermitted: true,
      forbidden: null,
      forbiddenRoutes: { ...other, readMetrics: { untilMs, words } },
    })
  })

  test('closes the set, if a route is refused before any of its routes has answered', () => {
    const outcome = { kind: 'route_forbidden', route: 'readMetrics', words, mayBeOfSet: true } as const
    const before = knownBudget({ isPermitted: false })
    expect(record(before, outcome)).toMatchObject({ forbidden: { untilMs, words }, forbiddenRoutes: {} })
    expect(record(before, { ...outcome, mayBeOfSet: false })).toMatchObject({
      forbidden: null,
      forbiddenRoutes: { readMetrics: { untilMs, words } },
    })
  })
})

describe('an absent set', () => {
  const absent: Outcome = { kind: 'set_forbidden', words: null, isAbsent: true }
  /** Returns how long it is not requested, after so many absences in a row. */
  const minutesAfter = (times: number, pauseMs = 0) => {
    let state = knownBudget()
    let nowMs = NOON_MS
    for (let time = 0; time < times; time++) {
      state = record(state, absent, {}, { nowMs })
      nowMs = (state.forbidden?.untilMs ?? 0) + pauseMs
    }
    return (state.forbidden?.absent?.forMs ?? 0) / 60_000
  }

  test('is requested again after twice as long each time, and four hours at most', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((times) => minutesAfter(times))).toEqual([
      15, 30, 60, 120, 240, 240, 240,
    ])
    expect(minutesAfter(3, DAY_MS)).toBe(60)
    const twice = record(record(knownBudget(), absent), absent, {}, { nowMs: NOON_MS + 15 * 60_000 })
    expect(twice.forbidden).toEqual({
      untilMs: NOON_MS + 45 * 60_000,
      words: null,
      absent: { forMs: 30 * 60_000 },
    })
  })

  test('has no longer pause after calls that ran at the same time', () => {
    const first = record(knownBudget(), absent)
    const second = record(first, absent, {}, { callId: 3, nowMs: NOON_MS + 15 * 60_000 - 1 })
    expect(second.forbidden?.absent).toEqual({ forMs: 15 * 60_000 })
  })

  test('is distinguished from a set outside the plan', () => {
    const forbidden: Outcome = { kind: 'set_forbidden', words: null }
    expect(record(knownBudget(), forbidden).forbidden).not.toHaveProperty('absent')
    const later = { nowMs: NOON_MS + HOUR_MS }
    expect(record(record(knownBudget(), forbidden), absent, {}, later).forbidden?.absent).toEqual({
      forMs: 15 * 60_000,
    })
    const again = record(record(knownBudget(), absent), forbidden, {}, later).forbidden
    expect(again).toEqual({ untilMs: NOON_MS + HOUR_MS + 15 * 60_000, words: null })
  })
})

describe('a wait', () => {
  const wait = (waitMs: number, isStated = true) => ({ kind: 'told_to_wait', waitMs, isStated }) as const

  test('that was stated lasts as stated, and ends the guessing', () => {
    const before = knownBudget({ unstatedWaits: 2 })
    expect(record(before, wait(37_000))).toMatchObject({
      unstatedWaits: 0,
      block: { untilMs: NOON_MS + 37_000, kind: 'rate_limited' },
    })
  })

  test.each([
    [0, 60_000],
    [1, 120_000],
    [3, 480_000],
    [4, 900_000],
    [9, 900_000],
  ])('that was not stated is longer after %i others', (unstatedWaits, waitMs) => {
    expect(record(knownBudget({ unstatedWaits }), wait(60_000, false))).toMatchObject({
      unstatedWaits: unstatedWaits + 1,
      block: { untilMs: NOON_MS + waitMs },
    })
  })

  test('is not shortened by an answer that was under way', () => {
    const block = { untilMs: NOON_MS + 37_000, kind: 'rate_limited' } as const
    const before = knownBudget({ block, unstatedWaits: 1 })
    expect(record(before, wait(20_000))).toMatchObject({ block, unstatedWaits: 1 })
    expect(record(before, wait(37_000))).toMatchObject({ block, unstatedWaits: 1 })
    expect(record(before, wait(38_000)).block?.untilMs).toBe(NOON_MS + 38_000)
  })

  test("of more than an hour is the day's", () => {
    expect([waitKind(HOUR_MS), waitKind(HOUR_MS + 1)]).toEqual(['rate_limited', 'daily_limit_reached'])
    const after = record(knownBudget(), wait(2 * HOUR_MS), {}, { usedToday: 5 })
    expect(after.block).toEqual({ untilMs: NOON_MS + 2 * HOUR_MS, kind: 'daily_limit_reached' })
    expect(after.day).toEqual({
      limit: null,
      remaining: 0,
      resetsAtMs: NOON_MS + 2 * HOUR_MS,
      reportedBy: 2,
      reportedAtMs: NOON_MS,
      guessedUntilMs: null,
    })
    expect(record(knownBudget(), wait(HOUR_MS)).day).toBeNull()
    expect(record(knownBudget(), wait(40 * DAY_MS)).day?.resetsAtMs).toBe(NOON_MS + DAY_MS + 1_000)
  })

  test("for a day gives the day's limit, if our own calls are enough to guess it", () => {
    const guessed = (usedToday: number) => record(knownBudget(), wait(2 * HOUR_MS), {}, { usedToday }).day
    expect(guessed(10)).toMatchObject({ limit: null, guessedUntilMs: null })
    expect(guessed(11)).toMatchObject({ limit: 10, guessedUntilMs: NOON_MS + 7 * DAY_MS })
    const day = periodOf({ limit: 1_000, resetsAtMs: MIDNIGHT_MS })
    expect(record(knownBudget({ day }), wait(2 * HOUR_MS), {}, { usedToday: 400 }).day).toMatchObject({
      limit: 1_000,
      remaining: 0,
      guessedUntilMs: null,
    })
  })
})

describe('failures', () => {
  test('open the breaker when they are five in a row', () => {
    const before = knownBudget({ failures: 3, block: { untilMs: NOON_MS + 1, kind: 'rate_limited' } })
    const fourth = record(before, FAILED, null)
    expect(fourth).toEqual({ ...before, failures: 4, lastFailure: LAST_FAILURE })
    expect(record(fourth, FAILED, null)).toEqual({
      ...before,
      failures: 5,
      lastFailure: LAST_FAILURE,
      breaker: { untilMs: NOON_MS + 30_000, forMs: 30_000 },
    })
  })

  test('open it for twice as long each time, and five minutes at most', () => {
    const again = (forMs: number) =>
      record(knownBudget({ failures: 5, breaker: { untilMs: NOON_MS, forMs } }), FAILED, null).breaker
    expect(again(30_000)).toEqual({ untilMs: NOON_MS + 60_000, forMs: 60_000 })
    expect(again(240_000)).toEqual({ untilMs: NOON_MS + 300_000, forMs: 300_000 })
  })

  test('of calls that were under way when it opened do not prolong it', () => {
    const breaker = { untilMs: NOON_MS + 1, forMs: 30_000 }
    expect(record(knownBudget({ failures: 5, breaker }), FAILED, null)).toMatchObject({
      failures: 6,
      breaker,
    })
  })

  test('end their probe, and are no answer', () => {
    const probe = { callId: 2, untilMs: NOON_MS + 1 }
    const before: BudgetState = { ...UNKNOWN_BUDGET, probe }
    expect(record(before, FAILED, null)).toEqual({
      ...UNKNOWN_BUDGET,
      failures: 1,
      lastFailure: LAST_FAILURE,
    })
  })
})
