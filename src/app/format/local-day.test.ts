import { expect, test } from 'vitest'
import { localDay } from './local-day.ts'

test.each([
  ['en-GB', '1 May 2026'],
  ['en-US', 'May 1, 2026'],
  ['de', '1. Mai 2026'],
  ['ja', '2026年5月1日'],
])('writes a day as %s does, whatever the time zone', (locale, text) => {
  expect(localDay('2026-05-01', locale)).toBe(text)
})

test('shows an invalid day as a dash', () => {
  expect(localDay('soon')).toBe('—')
})
