import { expect, test } from 'vitest'
import { firstDayOf } from './day-ranges.ts'

const NOW = Date.parse('2026-03-01T23:30:00Z')

test('counts today as one of the days', () => {
  expect(firstDayOf(1, NOW, 'UTC')).toBe('2026-03-01')
  expect(firstDayOf(7, NOW, 'UTC')).toBe('2026-02-23')
})

test('takes today from the reader’s time zone', () => {
  expect(firstDayOf(1, NOW, 'Asia/Tokyo')).toBe('2026-03-02')
  expect(firstDayOf(1, NOW, 'America/Los_Angeles')).toBe('2026-03-01')
})
