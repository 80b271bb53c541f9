import { expect, test } from 'vitest'
import { isFailure, toServiceLine } from './service-log.ts'

test('a service that runs with a dashboard logs only failures', () => {
  const statuses = [200, 401, 429, 499, 500, 503]
  expect(statuses.filter((status) => isFailure('request', { status }))).toEqual([500, 503])
  expect(isFailure('error', { error: 'disk full' })).toBe(true)
})

test('an event is one line of JSON', () => {
  const line = toServiceLine('error', { error: 'disk \u2028full\n' })
  expect(line).toMatch(/^\{.*\}\n$/)
  expect(line).not.toContain('\u2028')
  expect(JSON.parse(line)).toMatchObject({ event: 'error', error: 'disk \u2028full\n' })
})
