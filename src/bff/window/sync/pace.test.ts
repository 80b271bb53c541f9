import { expect, test } from 'vitest'
import type { CallBudget } from '#contract/bff/source.ts'
import { fillPauseOf, paceOf } from './pace.ts'

const NOW_MS = Date.parse('2026-03-10T12:00:00Z')
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const day = (limit: number | null, remaining: number | null, hoursLeft: number | null = 12): CallBudget => ({
  limit,
  remaining,
  resetsAt: hoursLeft === null ? null : new Date(NOW_MS + hoursLeft * HOUR_MS).toISOString(),
})
const minute = (limit: number | null): CallBudget => ({ limit, remaining: limit, resetsAt: null })

test.each<[string, { minute: CallBudget | null; day: CallBudget | null }, number]>([
  ['briskly where nothing is known to be scarce', { minute: null, day: null }, 15 * SECOND_MS],
  ['briskly where the day is large', { minute: minute(500), day: day(50_000, 1) }, 15 * SECOND_MS],
  ['no faster than once a minute where minutes are scarce', { minute: minute(5), day: null }, MINUTE_MS],
  ['with two fifths of what is left of the day', { minute: minute(10), day: day(1_000, 900) }, 2 * MINUTE_MS],
  ['slower as the day is used up', { minute: minute(5), day: day(100, 60) }, 30 * MINUTE_MS],
  ['once an hour when little is left', { minute: minute(5), day: day(100, 2) }, HOUR_MS],
  ['once an hour when nothing is left', { minute: minute(5), day: day(100, 0) }, HOUR_MS],
  [
    'as for a whole day where nobody says when it ends',
    { minute: null, day: day(100, 100, null) },
    36 * MINUTE_MS,
  ],
  ['at once when a day has ended', { minute: null, day: day(100, 10, -1) }, 15 * SECOND_MS],
  ['briskly where nobody says what is left', { minute: null, day: day(100, null) }, 15 * SECOND_MS],
])('looks for new records %s', (_, budgets, pause) => {
  expect(paceOf(budgets, NOW_MS)).toBe(pause)
})

test.each<[string, CallBudget | null, number]>([
  ['without a pause worth the name where minutes are not scarce', minute(60), 100],
  ['so where nothing is known', null, 100],
  ['at half of what a minute allows', minute(5), 24 * SECOND_MS],
  ['at half of the smallest minute', minute(1), 2 * MINUTE_MS],
])('fills %s', (_, budget, pause) => {
  expect(fillPauseOf({ minute: budget, day: null })).toBe(pause)
})
