import { expect, test } from 'vitest'
import { nextMonday } from './profile-actions.tsx'

test.each([
  ['2026-11-27T10:00:00', '2026-11-30'],
  ['2026-11-29T23:59:00', '2026-11-30'],
  ['2026-11-30T00:00:00', '2026-12-07'],
])('the Monday after %s is %s', (now, day) => {
  expect(nextMonday(new Date(now))).toEqual(new Date(`${day}T09:00:00`))
})
