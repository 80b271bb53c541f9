import { expect, test } from 'vitest'
import { listActiveFilters, NO_FILTER } from './active-filters.ts'

test('lists every value with the change that drops it alone', () => {
  const filters = listActiveFilters({ country: ['DE', 'FR'], from: '2026-05-01', q: 'acme' })

  expect(filters.map(({ label, value, without }) => [label, value, without])).toEqual([
    ['Search', 'acme', { q: undefined }],
    ['Country', 'Germany', { country: ['FR'] }],
    ['Country', 'France', { country: ['DE'] }],
    ['From', '1 May 2026', { from: undefined }],
  ])
})

test('clearing all keeps the selection', () => {
  expect({ q: 'acme', selected: ['a'], ...NO_FILTER }).toEqual({ selected: ['a'] })
})
