import { expect, test } from 'vitest'
import { SEARCH_MAX_LENGTH } from '#contract/bff/threat-list.ts'
import { filterOf, listScopeOf, scopeOf, threatSearchSchema } from './threat-search.ts'

test('reads single and repeated values alike', () => {
  const search = threatSearchSchema.parse({ category: 'DDoS', country: ['de', 'France', 'DE'] })

  expect(search.category).toEqual(['DDoS'])
  expect(search.country).toEqual(['DE', 'FR'])
})

test('opens a bad link with what is readable in it', () => {
  const search = threatSearchSchema.parse({
    category: ['', ' Ransomware '],
    country: 'Atlantis',
    severity: 'HIGH',
    from: '2026-02-31',
    to: '2026-03-01',
    q: '   ',
    set: 'v9',
    selected: ['../admin', '', 'a-1', 'a\0b', '..'],
  })

  expect(search).toEqual({
    category: ['Ransomware'],
    severity: ['high'],
    to: '2026-03-01',
    selected: ['../admin', 'a-1', '..'],
  })
})

test('survives values of the wrong kind', () => {
  expect(threatSearchSchema.parse({ category: { a: 1 }, q: 7, from: null, selected: [null] })).toEqual({})
})

test('swaps the days of the filter when From is after To, and leaves the fields', () => {
  const search = threatSearchSchema.parse({ from: '2026-05-10', to: '2026-05-01' })

  expect(search).toEqual({ from: '2026-05-10', to: '2026-05-01' })
  expect(filterOf(search)).toEqual({ from: '2026-05-01', to: '2026-05-10' })
})

test('reads exact moments, what the team has done, and the view it came from', () => {
  const view = '6a0e2c1e-7f7e-4c0e-9d3a-0d7c5a1f4b11'
  const search = threatSearchSchema.parse({
    since: '2026-11-20T12:00:00Z',
    until: 'tomorrow',
    triage: 'unread',
    view,
  })

  expect(search).toEqual({ since: '2026-11-20T12:00:00Z', triage: 'unread', view })
  expect(filterOf(search)).not.toHaveProperty('view')
})

test('has a row for each case unless the address names claims', () => {
  expect(listScopeOf(threatSearchSchema.parse({}), 'UTC').rows).toBe('cases')
  expect(listScopeOf(threatSearchSchema.parse({ rows: 'claims' }), 'UTC').rows).toBe('claims')
  expect(threatSearchSchema.parse({ rows: 'cases' })).toEqual({})
  expect(threatSearchSchema.parse({ rows: 'victims' })).toEqual({})
})

test('cuts a search text that no answer would accept', () => {
  expect(threatSearchSchema.parse({ q: 'x'.repeat(9_000) }).q).toHaveLength(SEARCH_MAX_LENGTH)
})

test('requests the same list for any selection', () => {
  const search = threatSearchSchema.parse({ q: 'acme', selected: 'a-1' })
  expect(scopeOf(filterOf(search), 'UTC')).not.toHaveProperty('selected')
})

test('reads days up to now, unless days are named', () => {
  expect(threatSearchSchema.parse({ within: '7d' })).toEqual({ within: '7d' })
  expect(threatSearchSchema.parse({ within: '8d' })).toEqual({})
  expect(threatSearchSchema.parse({ within: '7d', to: '2026-05-10' })).toEqual({ to: '2026-05-10' })
})

test('sends the time zone only with a filter by days', () => {
  expect(scopeOf({ q: 'acme' }, 'Asia/Tokyo').timeZone).toBe('UTC')
  expect(scopeOf({ within: '1d' }, 'Asia/Tokyo').timeZone).toBe('Asia/Tokyo')
  expect(scopeOf({ from: '2026-05-01' }, 'Asia/Tokyo').timeZone).toBe('Asia/Tokyo')
})
