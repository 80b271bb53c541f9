import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { describeThreats } from './selection-bar.tsx'

function describe(...threats: Threat[]): string {
  const known = new Map(threats.map((threat) => [threat.id, threat]))
  return describeThreats([...known.keys()], known, 'UTC')
}

test('writes a line for each threat, without a live address or a line break of its own', () => {
  const lines = describe(
    aThreat('a-1', { title: 'Sold: acme.example. Ask sales@acme.example', domains: ['www.acme.example'] }),
    aThreat('a-2', { title: 'one\ntwo\u202e', domains: [], publishedAt: null }),
  ).split('\n')

  expect(lines).toEqual([
    '- Sold: acme[.]example[.] Ask sales[@]acme[.]example · severity high · Ransomware · by Pale Harbour · against Northwind Clinics · www[.]acme[.]example · Germany · 20 Nov 2026, 08:30 UTC',
    '- one two‹U+202E› · severity high · Ransomware · by Pale Harbour · against Northwind Clinics · Germany · —',
  ])
})

test('names a threat that has no title by its id', () => {
  expect(describe(aThreat('a-1', { title: null }))).toMatch(/^- Untitled threat a-1 ·/)
})

test('leaves out no id that a link brought', () => {
  expect(describeThreats(['a-9'], new Map(), 'UTC')).toBe('- Threat a-9, not loaded in this list')
})
