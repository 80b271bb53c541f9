import { expect, test } from 'vitest'
import { describeThreats } from './describe-threats.ts'
import { aThreat } from './threat-fixtures.ts'

test('writes a line for each threat, without a live address or a line break of its own', () => {
  const lines = describeThreats(
    [
      aThreat('a-1', { title: 'Sold: acme.example. Ask sales@acme.example', domains: ['www.acme.example'] }),
      aThreat('a-2', { title: 'one\ntwo\u202e', domains: [], publishedAt: null }),
    ],
    'UTC',
  ).split('\n')

  expect(lines).toEqual([
    '- Sold: acme[.]example[.] Ask sales[@]acme[.]example · severity high · Ransomware · by Pale Harbour · against Northwind Clinics · www[.]acme[.]example · Germany · 20 Nov 2026, 08:30 UTC',
    '- one two‹U+202E› · severity high · Ransomware · by Pale Harbour · against Northwind Clinics · Germany · —',
  ])
})

test('names a threat that has no title by its id', () => {
  expect(describeThreats([aThreat('a-1', { title: null })], 'UTC')).toMatch(/^- Untitled threat a-1 ·/)
})
