import { expect, test } from 'vitest'
import { queryInstantSchema, toInstant } from './query-schemas.ts'

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z'],
  ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
  ['2026-01-31T09:30:00', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('reads %s as %s in any time zone', (since, instant) => {
  expect(toInstant(queryInstantSchema.parse(since))).toBe(instant)
})
