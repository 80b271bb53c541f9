import { expect, test } from 'vitest'
import { filterOf, questionOf, threatSearchSchema } from './threat-search.ts'

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
    selected: ['../admin', 'a-1', '..'],
  })

  expect(search).toEqual({
    category: ['Ransomware'],
    severity: ['high'],
    to: '2026-03-01',
    selected: ['a-1'],
  })
})

test('survives values of the wrong kind', () => {
  expect(threatSearchSchema.parse({ category: { a: 1 }, q: 7, from: null, selected: [null] })).toEqual({})
})

test('puts crossed days in order', () => {
  const { from, to } = threatSearchSchema.parse({ from: '2026-05-10', to: '2026-05-01' })
  expect([from, to]).toEqual(['2026-05-01', '2026-05-10'])
})

test('cuts a search text that no answer would accept', () => {
  expect(threatSearchSchema.parse({ q: 'x'.repeat(9_000) }).q).toHaveLength(512)
})

test('asks the same question whatever is selected', () => {
  const search = threatSearchSchema.parse({ q: 'acme', selected: 'a-1' })
  expect(questionOf(filterOf(search), 'UTC')).not.toHaveProperty('selected')
})

test('names the time zone only beside a day', () => {
  expect(questionOf({ q: 'acme' }, 'Asia/Tokyo').timeZone).toBe('UTC')
  expect(questionOf({ from: '2026-05-01' }, 'Asia/Tokyo').timeZone).toBe('Asia/Tokyo')
})
