import { describe, expect, test } from 'vitest'
import type { RateFacts } from '#bff/upstream/client/rate-facts.ts'
import { DAY_MS } from '#contract/duration.ts'
import { knownBudget, MIDNIGHT_MS, NOON_MS, periodOf, record } from '#test/support/quota/budgets.ts'
import type { BudgetState } from './budget-state.ts'
import type { Outcome } from './record-outcome.ts'

const ANSWERED: Outcome = { kind: 'answered' }

describe('a change of plan', () => {
  const minute = periodOf({ limit: 10 })
  const day = periodOf({ limit: 1_000, resetsAtMs: MIDNIGHT_MS })
  const forbiddenRoutes = { readMetrics: { untilMs: NOON_MS + 1, words: null } }
  const set = { kind: 'set_forbidden', words: null } as const
  const trial = { trialExpiresAt: '2026-04-01T00:00:00.000Z' }
  const forbidden = { untilMs: NOON_MS, words: null }

  test.each<[string, Partial<BudgetState>, Outcome, Partial<RateFacts>, boolean]>([
    ['another limit a minute', { minute }, ANSWERED, { limit: 60, remaining: 59, resetWaitMs: 60_000 }, true],
    [
      'another limit a minute, with a refusal',
      { minute },
      { kind: 'refused' },
      { limit: 60, resetWaitMs: 1 },
      true,
    ],
    ['the same limit', { minute }, ANSWERED, { limit: 10, remaining: 9, resetWaitMs: 60_000 }, false],
    ['its first limit', {}, ANSWERED, { limit: 10, remaining: 9, resetWaitMs: 60_000 }, false],
    ['no limit told', { minute }, ANSWERED, {}, false],
    ['a set that is no longer included', {}, set, {}, true],
    ['a set that never was', { isPermitted: false }, set, {}, false],
    ['a set that is included now', { isPermitted: false, forbidden }, ANSWERED, {}, true],
    ['a trial that is over', trial, ANSWERED, {}, true],
    ['a trial that begins', {}, ANSWERED, trial, true],
    ['a trial that goes on', trial, ANSWERED, trial, false],
    ['a first answer, of a trial', { isPermitted: false }, ANSWERED, trial, false],
    ['a request that is refused', trial, { kind: 'refused' }, {}, false],
  ])('is seen, or not, by %s', (_, before, outcome, facts, isOther) => {
    const after = record(knownBudget({ plan: 4, forbiddenRoutes, ...before }), outcome, facts)
    expect(after.plan).toBe(isOther ? 5 : 4)
    expect(Object.keys(after.forbiddenRoutes)).toEqual(isOther ? [] : ['readMetrics'])
  })

  test('resets the limit of the day', () => {
    const facts = { limit: 60, remaining: 59, resetWaitMs: 60_000 }
    expect(record(knownBudget({ minute, day }), ANSWERED, facts)).toMatchObject({
      minute: { limit: 60 },
      day: null,
    })
    expect(record(knownBudget({ minute, day }), ANSWERED, { ...facts, limit: 10 }).day).toEqual(day)
  })
})

describe('a reported limit', () => {
  const minute = periodOf({ limit: 10, reportedBy: 1 })
  const day = periodOf({ limit: 1_000, reportedBy: 1, resetsAtMs: MIDNIGHT_MS })
  const periods = ({ minute: m, day: d }: BudgetState) => ({
    minute: m?.limit ?? null,
    day: d?.limit ?? null,
  })

  test("is the minute's or the day's by the distance of its reset", () => {
    const reported = (resetWaitMs: number | null) =>
      periods(record(knownBudget(), ANSWERED, { limit: 7, remaining: 6, resetWaitMs }))
    expect(reported(null)).toEqual({ minute: 7, day: null })
    expect(reported(120_000)).toEqual({ minute: 7, day: null })
    expect(reported(120_001)).toEqual({ minute: null, day: 7 })
  })

  test('is matched to its period by the limit, if it has no reset or the day ends soon', () => {
    const before = knownBudget({ minute, day })
    const facts = { limit: 1_000, remaining: 12 }
    expect(record(before, ANSWERED, { ...facts, resetWaitMs: null }).day?.remaining).toBe(12)
    const late = (nowMs: number) => record(before, ANSWERED, { ...facts, resetWaitMs: 90_000 }, { nowMs })
    expect(late(MIDNIGHT_MS - 120_000).day?.remaining).toBe(12)
    expect(late(MIDNIGHT_MS - 120_001)).toMatchObject({ minute: { remaining: 12 }, day: null })
  })

  test("is the minute's if it differs from the day's", () => {
    const before = knownBudget({ day })
    expect(record(before, ANSWERED, { limit: 7, remaining: 6 })).toMatchObject({ minute: { limit: 7 }, day })
    expect(record(before, ANSWERED, { limit: 1_000, remaining: 6 })).toMatchObject({
      minute: null,
      day: { remaining: 6 },
    })
  })

  test('is matched by its limit when a day ends soon, also at another time than midnight', () => {
    const endsMs = NOON_MS + 100_000
    const before = knownBudget({ minute, day: { ...day, resetsAtMs: endsMs } })
    const facts = { limit: 1_000, remaining: 12, resetWaitMs: 100_000 }
    expect(record(before, ANSWERED, facts).day?.remaining).toBe(12)
  })

  test("is the minute's if both limits are equal, or none is reported", () => {
    const before = knownBudget({ minute: periodOf({ limit: 1_000 }), day })
    expect(record(before, ANSWERED, { limit: 1_000, remaining: 12 })).toMatchObject({
      minute: { remaining: 12 },
      day,
    })
    const unknown = knownBudget({ day: { ...day, limit: null } })
    expect(record(unknown, ANSWERED, { remaining: 12 })).toMatchObject({ minute: { remaining: 12 } })
  })

  test('holds until its reset and a second more', () => {
    expect(record(knownBudget(), ANSWERED, { limit: 7, remaining: 6, resetWaitMs: 20_000 }).minute).toEqual({
      limit: 7,
      remaining: 6,
      resetsAtMs: NOON_MS + 21_000,
      reportedBy: 2,
      reportedAtMs: NOON_MS,
      guessedUntilMs: null,
    })
  })

  test.each([
    ['a minute', { limit: 10, resetWaitMs: null }, 'minute', NOON_MS + 61_000],
    ['what is left of the day', { limit: 1_000, resetWaitMs: null }, 'day', MIDNIGHT_MS + 1_000],
    ['no more than a day', { limit: 1_000, resetWaitMs: 20 * DAY_MS }, 'day', NOON_MS + DAY_MS + 1_000],
  ] as const)('holds for %s', (_, facts, name, resetsAtMs) => {
    const after = record(knownBudget({ minute, day }), ANSWERED, { remaining: 6, ...facts })
    expect(after[name]?.resetsAtMs).toBe(resetsAtMs)
  })

  test('keeps the values that an answer does not report', () => {
    const guess = { ...minute, guessedUntilMs: NOON_MS + 5 }
    const left = record(knownBudget({ minute: guess }), ANSWERED, { remaining: 3 }).minute
    expect(left).toMatchObject({ limit: 10, remaining: 3, guessedUntilMs: NOON_MS + 5 })
    const reported = record(knownBudget({ minute: guess }), ANSWERED, { limit: 10, remaining: 3 }).minute
    expect(reported?.guessedUntilMs).toBeNull()
    expect(record(knownBudget({ minute }), ANSWERED, { limit: 10 }).minute?.remaining).toBeNull()
  })

  test('of zero calls is ignored', () => {
    expect(record(knownBudget(), ANSWERED, { limit: 0 }).minute).toBeNull()
    expect(record(knownBudget({ minute }), ANSWERED, { limit: 0, remaining: 4 }).minute).toMatchObject({
      limit: 10,
      remaining: 4,
    })
  })

  test('of an earlier call does not replace that of a later one', () => {
    const later = { ...minute, reportedBy: 3 }
    const facts = { limit: 60, remaining: 59, resetWaitMs: 20_000 }
    expect(record(knownBudget({ minute: later, day }), ANSWERED, facts)).toMatchObject({ minute: later, day })
    expect(record(knownBudget({ minute: { ...minute, reportedBy: 2 } }), ANSWERED, facts).minute?.limit).toBe(
      60,
    )
  })

  test('is deleted after a day without a report', () => {
    const heardAt = (nowMs: number, before = knownBudget({ minute, day })) =>
      periods(record(before, ANSWERED, {}, { nowMs }))
    expect(heardAt(NOON_MS + DAY_MS)).toEqual({ minute: 10, day: 1_000 })
    expect(heardAt(NOON_MS + DAY_MS + 1)).toEqual({ minute: null, day: null })
    const lately = knownBudget({ minute, day: { ...day, reportedAtMs: NOON_MS + 1 } })
    expect(heardAt(NOON_MS + DAY_MS + 1, lately)).toEqual({ minute: 10, day: 1_000 })
    const minuteLately = knownBudget({ minute: { ...minute, reportedAtMs: NOON_MS + 1 }, day })
    expect(heardAt(NOON_MS + DAY_MS + 1, minuteLately)).toEqual({ minute: 10, day: 1_000 })
    expect(heardAt(NOON_MS + DAY_MS + 1, knownBudget({ day: lately.day }))).toEqual({
      minute: null,
      day: 1_000,
    })
  })

  test('of a call without an answer changes nothing', () => {
    expect(record(knownBudget({ minute, day }), ANSWERED, null)).toMatchObject({ minute, day })
  })
})
