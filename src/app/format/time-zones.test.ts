import { expect, test } from 'vitest'
import { findTimeZones, offsetOf, timeZones } from './time-zones.ts'

test('lists UTC first, each zone once, cities by their names of today', () => {
  const zones = timeZones()
  expect(zones[0]).toBe('UTC')
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/New_York']))
})

test('finds a zone by any of its words, however written', () => {
  expect(findTimeZones(timeZones(), ' NEW  york ')).toEqual(['America/New_York'])
  expect(findTimeZones(timeZones(), 'atlantis')).toEqual([])
  expect(findTimeZones(timeZones(), '(')).toEqual(timeZones())
})

test('shows the offset of a time zone from UTC, including summer time', () => {
  expect(offsetOf('Asia/Kathmandu', 0)).toBe('UTC+5:30')
  expect(offsetOf('Europe/Berlin', Date.UTC(2026, 6, 1))).toBe('UTC+2')
  expect(offsetOf('UTC', 0)).toBe('UTC')
  expect(offsetOf('Atlantis/Capital', 0)).toBe('')
})
