import { expect, test } from 'vitest'
import { localDay } from '#app/format/local-day.ts'
import { dropFilters, listActiveFilters } from './active-filters.ts'

test('lists every value with the change that drops it alone', () => {
  const filters = listActiveFilters({ country: ['DE', 'FR'], from: '2026-05-01', q: 'acme' }, 'UTC')

  expect(filters.map(({ label, value, without }) => [label, value, without])).toEqual([
    ['Search', 'acme', { q: undefined }],
    ['Country', 'Germany', { country: ['FR'] }],
    ['Country', 'France', { country: ['DE'] }],
    ['From', localDay('2026-05-01'), { from: undefined }],
  ])
})

test('describes the last days as one filter', () => {
  expect(listActiveFilters({ within: '7d' }, 'UTC')).toEqual([
    { name: 'within', label: 'Published', value: 'in the last 7 days', without: { within: undefined } },
  ])
})

test('describes times in the user’s time zone, and states in words', () => {
  const filters = listActiveFilters({ since: '2026-11-20T12:00:00Z', triage: 'open' }, 'Asia/Tokyo')

  expect(filters.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Since: 20 Nov 2026, 21:00 UTC+9',
    'Show: Not closed',
  ])
})

test('clearing all keeps the selection, and no view', () => {
  const search = { q: 'acme', selected: ['a'], view: '6a0e2c1e-7f7e-4c0e-9d3a-0d7c5a1f4b11' }
  expect({ ...search, ...dropFilters(search) }).toEqual({ selected: ['a'], view: 'all' })
})
