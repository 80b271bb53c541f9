import { describe, expect, test } from 'vitest'
import type { CallBudget } from '#contract/bff/source.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { fillPauseOf, paceOf } from './pace.ts'

const NOW_MS = Date.parse('2026-03-10T12:00:00Z')
const SECOND_MS = 1_000

const day = (limit: number | null, remaining: number | null, hoursLeft: number | null = 12): CallBudget => ({
  limit,
  remaining,
  resetsAt: hoursLeft === null ? null : new Date(NOW_MS + hoursLeft * HOUR_MS).toISOString(),
})
const minute = (limit: number | null): CallBudget => ({ limit, remaining: limit, resetsAt: null })

test.each<[string, { minute: CallBudget | null; day: CallBudget | null }, number]>([
  ['briskly where nothing is known to be scarce', { minute: null, day: null }, 15 * SECOND_MS],
  ['briskly at sixty a minute', { minute: minute(60), day: null }, 15 * SECOND_MS],
  ['briskly at twenty thousand a day', { minute: null, day: day(20_000, 1) }, 15 * SECOND_MS],
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
])('polls for new records %s', (_, budgets, pause) => {
  expect(paceOf({ budgets, nowMs: NOW_MS, usualHours: new Map() })).toBe(pause)
})

test.each<[string, CallBudget | null, number]>([
  ['without a pause worth the name where minutes are not scarce', minute(60), 100],
  ['so where nothing is known', null, 100],
  ['at half of what a minute allows', minute(5), 24 * SECOND_MS],
  ['at half of the smallest minute', minute(1), 2 * MINUTE_MS],
])('fills %s', (_, budget, pause) => {
  expect(fillPauseOf({ minute: budget, day: null })).toBe(pause)
})

describe('when the usual hours of use are known', () => {
  const OFFICE = new Map(Array.from({ length: 10 }, (_, at) => [8 + at, 4]))
  const at = (time: string) => Date.parse(`2026-03-10T${time}:00Z`)
  const dayAt = (time: string, limit: number, remaining: number) => ({
    budgets: {
      minute: minute(5),
      day: { limit, remaining, resetsAt: new Date(at('24:00')).toISOString() },
    },
    nowMs: at(time),
    usualHours: OFFICE,
  })
  const minutesAt = (...facts: Parameters<typeof dayAt>) => paceOf(dayAt(...facts)) / MINUTE_MS

  test('spends in these hours what people do not use, minus a reserve for later', () => {
    // Of 80, people use 40 and a tenth more, and 5 are still reserved at 19:00, after an hour of a quarter of the pace.
    expect(minutesAt('08:00', 100, 80)).toBeCloseTo((10 * 60 + 60 / 4) / (80 - 44 - 5))
    expect(minutesAt('08:00', 100, 90)).toBeLessThan(minutesAt('08:00', 100, 80))
  })

  test('spends at the end of these hours the calls that people did not use', () => {
    expect(minutesAt('17:00', 100, 60)).toBeLessThan(10)
  })

  test('polls less often outside these hours, and polls when they begin', () => {
    expect(minutesAt('02:00', 100, 95)).toBe(60)
    expect(minutesAt('07:48', 100, 90)).toBeCloseTo(12)
    expect(minutesAt('19:00', 100, 14)).toBeGreaterThan(minutesAt('17:30', 100, 30))
  })

  test('polls equally often at any hour if the calls suffice', () => {
    const [day, night] = [minutesAt('10:00', 1_000, 800), minutesAt('02:00', 1_000, 990)]
    expect([day, night].every((minutes) => minutes >= 1 && minutes < 1.6)).toBe(true)
  })

  test('reserves more if people usually use more calls than remain, but never stops', () => {
    const many = new Map([...OFFICE.keys()].map((hour) => [hour, 30]))
    const pace = paceOf({ ...dayAt('08:00', 100, 90), usualHours: many })
    expect(pace / MINUTE_MS).toBeGreaterThan(minutesAt('08:00', 100, 90))
    expect(pace).toBeLessThanOrEqual(HOUR_MS)
  })

  test.each([50, 500])(
    'spends two fifths of the remaining calls if people usually use more: %i an hour',
    (wanted) => {
      const allDay = new Map(Array.from({ length: 12 }, (_, at) => [12 + at, wanted]))
      const pace = paceOf({ ...dayAt('12:00', 1_000, 500), usualHours: allDay })
      expect(pace / MINUTE_MS).toBeCloseTo((12 * 60) / (0.4 * 500))
    },
  )
})
