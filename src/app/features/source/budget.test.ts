import { expect, test } from 'vitest'
import type { SetState, Source } from '#contract/bff/source.ts'
import { SOURCE } from '#test/support/app/fake-bff.ts'
import { budgetLevel, describeCost, hasScarceCalls, leastBudgets } from './budget.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const MINUTE_END = '2026-11-21T12:00:40Z'
const DAY_END = '2026-11-22T00:00:00Z'

const perMinute = (remaining: number | null) => ({ limit: 5, remaining, resetsAt: MINUTE_END })
const perDay = (remaining: number | null) => ({ limit: 100, remaining, resetsAt: DAY_END })

function sourceWith(v1: Partial<SetState>, earlier: Partial<SetState> = {}): Source {
  const sets = { v1: { ...SOURCE.sets.v1, ...v1 }, earlier: { ...SOURCE.sets.earlier, ...earlier } }
  return { ...SOURCE, sets }
}

test('reports of each limit period what the route set with the least has left', () => {
  const source = sourceWith(
    { budgets: { minute: perMinute(1), day: perDay(60) } },
    { budgets: { minute: perMinute(4), day: perDay(20) } },
  )
  expect(leastBudgets(source, NOW)).toEqual({ minute: perMinute(1), day: perDay(20) })
})

test('leaves out a route set that is not in the plan, and what was not reported', () => {
  const source = sourceWith(
    { budgets: { minute: null, day: perDay(60) } },
    { status: 'forbidden', budgets: { minute: perMinute(0), day: perDay(0) } },
  )
  expect(leastBudgets(source, NOW)).toEqual({ minute: null, day: perDay(60) })
  expect(leastBudgets(sourceWith({ budgets: { minute: perMinute(null), day: null } }), NOW)).toEqual({
    minute: null,
    day: null,
  })
})

test('a limit period that has ended since is whole again', () => {
  const source = sourceWith({ budgets: { minute: perMinute(0), day: null } })
  expect(leastBudgets(source, Date.parse(MINUTE_END)).minute).toEqual({
    limit: 5,
    remaining: 5,
    resetsAt: null,
  })
})

test('a fifth of the calls is low, and zero is none', () => {
  expect([60, 19, 0].map((remaining) => budgetLevel(perDay(remaining)))).toEqual(['plenty', 'low', 'none'])
})

test('shows the cost of a button only while few calls are left', () => {
  const costOf = (minute: number, day: number) => {
    const source = sourceWith({ budgets: { minute: perMinute(minute), day: perDay(day) } })
    return describeCost('1–2', source, { now: NOW, timeZone: 'UTC' })
  }
  expect(costOf(5, 60)).toBeNull()
  expect(costOf(5, 7)).toBe('uses 1–2 of 7 calls left today')
  expect(costOf(5, 1)).toBe('uses 1–2 of 1 call left today')
  expect(costOf(0, 60)).toBe('no calls left this minute until 12:00 UTC')
  expect(costOf(5, 0)).toBe('no calls left today until 00:00 UTC')
})

test('calls are scarce at a vendor, on trial and in small plans, not at our own service of thousands', () => {
  const minute = { limit: 6_000, remaining: 5_996, resetsAt: MINUTE_END }
  const own = { ...sourceWith({ budgets: { minute, day: null } }), isOwnService: true }
  const isScarce = (source: Source) => hasScarceCalls(source, NOW)
  expect(isScarce(own)).toBe(false)
  expect(isScarce({ ...own, isOwnService: false })).toBe(true)
  expect(isScarce({ ...own, trialExpiresAt: DAY_END })).toBe(true)
  const small = sourceWith({ budgets: { minute: perMinute(5), day: perDay(60) } })
  expect(isScarce({ ...small, isOwnService: true })).toBe(true)
})
