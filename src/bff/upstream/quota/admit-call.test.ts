import { describe, expect, test } from 'vitest'
import type { CallPriority } from '#contract/bff/call-ledger.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { knownBudget, MIDNIGHT_MS, NOON_MS, periodOf, usageOf } from '#test/support/quota/budgets.ts'
import { admitCall, admitCalls, type CallRequest } from './admit-call.ts'
import { type BudgetState, UNKNOWN_BUDGET } from './budget-state.ts'

const PERSON: CallRequest = {
  route: 'listThreats',
  caller: { priority: 'person', who: 'u-1', session: 's-1' },
  leastShare: 0,
  usualHours: new Map(),
}

function admit(state: BudgetState, changes: { usage?: ReturnType<typeof usageOf>; nowMs?: number } = {}) {
  return admitCall(state, changes.usage ?? usageOf(), PERSON, changes.nowMs ?? NOON_MS)
}

describe('a probe', () => {
  const probe = { callId: 1, untilMs: NOON_MS + 12_000 }

  test('is the first call, while the others wait', () => {
    expect(admit(UNKNOWN_BUDGET)).toEqual({ kind: 'go', isProbe: true })
    expect(admit({ ...UNKNOWN_BUDGET, probe })).toEqual({ kind: 'wait' })
  })

  test('is the next call when the first does not end', () => {
    const late = { nowMs: NOON_MS + 12_000 }
    expect(admit({ ...UNKNOWN_BUDGET, probe }, late)).toEqual({ kind: 'go', isProbe: true })
  })

  test('is due when the last answer is more than an hour old', () => {
    const nowMs = NOON_MS + HOUR_MS
    expect(admit(knownBudget({ probe }), { nowMs: NOON_MS })).toEqual({ kind: 'go', isProbe: false })
    expect(admit(knownBudget(), { nowMs })).toEqual({ kind: 'go', isProbe: false })
    expect(admit(knownBudget(), { nowMs: nowMs + 1 })).toEqual({ kind: 'go', isProbe: true })
  })

  test('is due when a circuit breaker has closed again', () => {
    const breaker = { untilMs: NOON_MS, forMs: 30_000 }
    expect(admit(knownBudget({ breaker }))).toEqual({ kind: 'go', isProbe: true })
  })
})

describe('an earlier answer refuses a call until its time', () => {
  const untilMs = NOON_MS + 5_000
  const words = 'Upgrade your plan'
  const absent = { forMs: 900_000 }
  test.each([
    ['a wait', { block: { untilMs, kind: 'rate_limited' } }, ['rate_limited', null, untilMs]],
    ['a day', { block: { untilMs, kind: 'daily_limit_reached' } }, ['daily_limit_reached', null, untilMs]],
    ['its set forbidden', { forbidden: { untilMs, words } }, ['set_forbidden', words, null]],
    [
      'its route forbidden',
      { forbiddenRoutes: { listThreats: { untilMs, words } } },
      ['route_forbidden', words, null],
    ],
    ['its set absent', { forbidden: { untilMs, words, absent } }, ['set_absent', words, null]],
    [
      'its route absent',
      { forbiddenRoutes: { listThreats: { untilMs, words, absent } } },
      ['route_absent', words, null],
    ],
    ['failures', { breaker: { untilMs, forMs: 30_000 } }, ['unavailable', null, untilMs]],
  ] as const)('%s', (_, state, [kind, words, retryAtMs]) => {
    const refusal = { kind, reason: expect.stringMatching(/\w/), words, retryAtMs }
    expect(admit(knownBudget(state), { nowMs: untilMs - 1 })).toEqual({ kind: 'refused', refusal })
    expect(admit(knownBudget(state), { nowMs: untilMs }).kind).toBe('go')
  })

  test('but not one on another route', () => {
    const state = knownBudget({ forbiddenRoutes: { readMetrics: { untilMs, words } } })
    expect(admit(state)).toEqual({ kind: 'go', isProbe: false })
  })
})

describe('a limit period refuses a call', () => {
  const resetsAtMs = NOON_MS + 40_000

  test('when none is left of its minute, until its reset', () => {
    const state = knownBudget({ minute: periodOf({ limit: 5, remaining: 0, resetsAtMs }) })
    expect(admit(state)).toEqual({
      kind: 'refused',
      refusal: {
        kind: 'rate_limited',
        reason: 'no call is left of the minute',
        words: null,
        retryAtMs: resetsAtMs,
      },
    })
  })

  test('for the reason that lasts longest, when none is left of the day either', () => {
    const minute = periodOf({ limit: 5, remaining: 0, resetsAtMs })
    const day = periodOf({ limit: 100, remaining: 0, resetsAtMs: MIDNIGHT_MS })
    expect(admit(knownBudget({ minute, day }))).toMatchObject({
      refusal: {
        kind: 'daily_limit_reached',
        reason: 'no call is left of the day',
        retryAtMs: MIDNIGHT_MS,
      },
    })
  })

  test('when our own calls have used it up, whatever was reported', () => {
    const state = knownBudget({ minute: periodOf({ limit: 5, remaining: null, resetsAtMs }) })
    const oldestMs = NOON_MS - 10_000
    const usage = usageOf({ minute: { used: 5, oldestMs } })
    expect(admit(state, { usage })).toMatchObject({
      refusal: { kind: 'rate_limited', retryAtMs: NOON_MS + 51_000 },
    })
    expect(admit(state, { usage: usageOf({ minute: { used: 4, oldestMs } }) }).kind).toBe('go')
  })

  test('not when nothing is known of its limit', () => {
    const guess = periodOf({ limit: 20, remaining: 0, resetsAtMs: NOON_MS, guessedUntilMs: NOON_MS })
    expect(admit(knownBudget({ day: guess }), { usage: usageOf({ day: { used: 900 } }) }).kind).toBe('go')
    const unlimited = knownBudget({ minute: periodOf({ limit: null, remaining: null }) })
    expect(admit(unlimited, { usage: usageOf({ minute: { usedBySession: 900 } }) }).kind).toBe('go')
  })
})

describe('calls are reserved for higher priorities', () => {
  const caller = (priority: CallPriority) => ({ priority, who: null, session: null })
  const reasonAt = (state: BudgetState, priority: CallPriority, nowMs: number) => {
    const verdict = admitCall(state, usageOf(), { ...PERSON, caller: caller(priority) }, nowMs)
    return verdict.kind === 'refused' ? verdict.refusal.reason : verdict.kind
  }

  test.each([
    ['person', 0],
    ['refresh', 2],
    ['window', 4],
    ['prefetch', 6],
  ] as const)('of 10 a minute, %s leaves %i', (priority, reserve) => {
    const left = (remaining: number) => knownBudget({ minute: periodOf({ limit: 10, remaining }) })
    const reason = reserve
      ? 'the calls left are kept for people of the minute'
      : 'no call is left of the minute'
    expect(reasonAt(left(reserve), priority, NOON_MS)).toBe(reason)
    expect(reasonAt(left(reserve + 1), priority, NOON_MS)).toBe('go')
  })

  test.each([
    ['refresh', MIDNIGHT_MS, 40],
    ['window', MIDNIGHT_MS, 45],
    ['prefetch', MIDNIGHT_MS, 70],
    ['refresh', MIDNIGHT_MS + 12 * HOUR_MS, 20],
    ['window', MIDNIGHT_MS + 12 * HOUR_MS, 23],
    ['prefetch', MIDNIGHT_MS + 12 * HOUR_MS, 35],
    ['prefetch', MIDNIGHT_MS + 24 * HOUR_MS - 1, 1],
    ['person', MIDNIGHT_MS, 0],
  ] as const)('of 100 a day, %s leaves fewer as the day ends', (priority, nowMs, reserve) => {
    const left = (remaining: number) =>
      knownBudget({
        answeredAtMs: nowMs,
        day: periodOf({ limit: 100, remaining, resetsAtMs: MIDNIGHT_MS + 24 * HOUR_MS }),
      })
    expect(reasonAt(left(reserve), priority, nowMs)).toMatch(/of the day$/)
    expect(reasonAt(left(reserve + 1), priority, nowMs)).toBe('go')
  })

  test('of a day, more before the usual hours of people, and fewer after them', () => {
    const usualHours = new Map([9, 10, 11, 12, 13, 14, 15, 16].map((hour) => [hour, 3]))
    const kindAt = (hour: number, remaining: number) => {
      const nowMs = MIDNIGHT_MS + hour * HOUR_MS
      const day = periodOf({ limit: 100, remaining, resetsAtMs: MIDNIGHT_MS + 24 * HOUR_MS })
      const request = { ...PERSON, caller: caller('window'), usualHours }
      return admitCall(knownBudget({ answeredAtMs: nowMs, day }), usageOf(), request, nowMs).kind
    }
    expect([kindAt(9, 37), kindAt(9, 38)]).toEqual(['refused', 'go'])
    expect([kindAt(17, 7), kindAt(17, 8)]).toEqual(['refused', 'go'])
  })

  test.each(['refresh', 'window', 'prefetch'] as const)(
    'of a day, with a time at which %s may try again',
    (priority) => {
      for (let remaining = 2; remaining <= 40; remaining++) {
        const day = periodOf({ limit: 100, remaining, resetsAtMs: MIDNIGHT_MS })
        const verdictAt = (nowMs: number) =>
          admitCall(
            knownBudget({ answeredAtMs: nowMs, day }),
            usageOf(),
            { ...PERSON, caller: caller(priority) },
            nowMs,
          )
        const verdict = verdictAt(MIDNIGHT_MS - 24 * HOUR_MS)
        const retryAtMs = verdict.kind === 'refused' ? (verdict.refusal.retryAtMs ?? 0) : 0
        expect(verdictAt(retryAtMs - 1_000)).toMatchObject({ kind: 'refused', refusal: { retryAtMs } })
        expect(verdictAt(retryAtMs).kind).toBe('go')
      }
    },
  )

  test('of a day to its end, where one is left', () => {
    const day = periodOf({ limit: 100, remaining: 1, resetsAtMs: MIDNIGHT_MS })
    const request = { ...PERSON, caller: caller('window') }
    expect(admitCall(knownBudget({ day }), usageOf(), request, NOON_MS)).toMatchObject({
      refusal: { kind: 'saving_calls', retryAtMs: MIDNIGHT_MS },
    })
  })

  test('in the background more than others of the same priority', () => {
    const background = { ...PERSON, caller: { ...caller('window'), isBackground: true } }
    const kindAt = (state: BudgetState, nowMs = MIDNIGHT_MS) =>
      admitCall(state, usageOf(), background, nowMs).kind
    const minuteOf = (remaining: number) => knownBudget({ minute: periodOf({ limit: 10, remaining }) })
    const dayOf = (remaining: number) => {
      const day = periodOf({ limit: 100, remaining, resetsAtMs: MIDNIGHT_MS + 24 * HOUR_MS })
      return knownBudget({ answeredAtMs: MIDNIGHT_MS, day })
    }
    expect([kindAt(minuteOf(6), NOON_MS), kindAt(minuteOf(7), NOON_MS)]).toEqual(['refused', 'go'])
    expect([kindAt(dayOf(50)), kindAt(dayOf(51))]).toEqual(['refused', 'go'])
  })

  test('of a minute until its reset', () => {
    const minute = periodOf({ limit: 10, remaining: 4, resetsAtMs: NOON_MS + 40_000 })
    const request = { ...PERSON, caller: caller('window') }
    expect(admitCall(knownBudget({ minute }), usageOf(), request, NOON_MS)).toMatchObject({
      refusal: { kind: 'saving_calls', retryAtMs: NOON_MS + 40_000 },
    })
  })

  test('not if neither a limit nor the calls left are known', () => {
    const minute = periodOf({ limit: null, remaining: null })
    for (const priority of ['refresh', 'window', 'prefetch'] as const) {
      expect(reasonAt(knownBudget({ minute }), priority, NOON_MS)).toBe('go')
    }
  })

  test('by the calls left, if no limit was reported', () => {
    const minute = periodOf({ limit: null, remaining: 5 })
    expect(reasonAt(knownBudget({ minute }), 'window', NOON_MS)).toBe('go')
    expect(reasonAt(knownBudget({ minute: { ...minute, remaining: 1 } }), 'window', NOON_MS)).toMatch(
      /^the calls left/,
    )
  })
})

test('a retry spends no call of the last half', () => {
  const retry = { ...PERSON, caller: { ...PERSON.caller, session: null }, leastShare: 0.5 }
  const left = (remaining: number) => knownBudget({ minute: periodOf({ limit: 10, remaining }) })
  expect(admitCall(left(5), usageOf(), retry, NOON_MS).kind).toBe('go')
  expect(admitCall(left(4), usageOf(), retry, NOON_MS)).toMatchObject({ refusal: { kind: 'saving_calls' } })
  const day = periodOf({ limit: 100, remaining: 49, resetsAtMs: MIDNIGHT_MS })
  expect(admitCall(knownBudget({ day }), usageOf(), retry, NOON_MS)).toMatchObject({
    refusal: { kind: 'saving_calls', retryAtMs: MIDNIGHT_MS },
  })
})

test('a session may spend half of the calls left, and the sync is not a session', () => {
  const state = knownBudget({ minute: periodOf({ limit: 10, remaining: 2 }) })
  const usage = usageOf({ minute: { usedBySession: 2 } })
  expect(admit(state, { usage: usageOf({ minute: { usedBySession: 1 } }) }).kind).toBe('go')
  expect(admit(state, { usage })).toMatchObject({
    refusal: { kind: 'share_used', reason: "the session's share is used up of the minute" },
  })
  const nobody = { ...PERSON, caller: { ...PERSON.caller, session: null } }
  expect(admitCall(state, usage, nobody, NOON_MS).kind).toBe('go')
})

describe('simultaneous calls', () => {
  const ask = (state: BudgetState, sessions: readonly string[]) =>
    admitCalls(
      state,
      sessions.map((session) => ({
        ...PERSON,
        caller: { ...PERSON.caller, session },
        usage: usageOf(),
      })),
      NOON_MS,
    ).map((verdict) => (verdict.kind === 'refused' ? verdict.refusal.kind : verdict.kind))

  test('count against each other, and against the share of their session', () => {
    const state = knownBudget({ minute: periodOf({ limit: 10, remaining: 3 }) })
    expect(ask(state, ['a', 'b', 'c', 'd'])).toEqual(['go', 'go', 'go', 'rate_limited'])
    expect(ask(state, ['a', 'a', 'a', 'b'])).toEqual(['go', 'go', 'share_used', 'go'])
  })

  test('are probed only by the first of them', () => {
    expect(ask(UNKNOWN_BUDGET, ['a', 'b', 'c'])).toEqual(['go', 'wait', 'wait'])
  })
})
