import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { findEvidence } from './match-item.tsx'

const marked = (text: string, ranges: readonly { start: number; end: number }[]) =>
  ranges.map(({ start, end }) => text.slice(start, end))

const evidenceIn = (members: Partial<Threat>, ...keywords: string[]) => {
  const threat = aThreat('a-1', members)
  const { title, passages, elsewhere } = findEvidence(threat, keywords)
  return {
    title: marked(threat.title ?? '', title),
    passages: passages.map(({ field, text, ranges }) => [field, ...marked(text, ranges)]),
    elsewhere,
  }
}

test('marks matches in the title, and repeats none of them as a passage', () => {
  const title = 'LockBit posts Northwind Clinics'
  expect(evidenceIn({ title, excerpt: 'northwind files' }, 'lockbit', 'northwind')).toEqual({
    title: ['LockBit', 'Northwind'],
    passages: [],
    elsewhere: [],
  })
})

test('shows one passage for each keyword that the title lacks, and names the field', () => {
  const members = { title: 'New post', excerpt: 'Acme lost 4 GB', organizations: ['Contoso', 'Acme'] }
  expect(evidenceIn(members, 'acme', 'contoso')).toEqual({
    title: [],
    passages: [
      ['Excerpt', 'Acme'],
      ['Victim', 'Contoso'],
    ],
    elsewhere: [],
  })
})

test('a long text begins a little before its first match', () => {
  const excerpt = `${'lorem ipsum '.repeat(40)}the acme files ${'dolor sit '.repeat(60)}`
  const [passage] = findEvidence(aThreat('a-1', { excerpt }), ['acme']).passages
  expect(passage?.text).toMatch(/^…ipsum .*acme files .*…$/)
  expect(passage?.text.length).toBeLessThan(240)
  expect(marked(passage?.text ?? '', passage?.ranges ?? [])).toEqual(['acme'])
})

test('keywords of texts that a list does not hold are marked', () => {
  expect(evidenceIn({ excerpt: null }, 'hidden phrase', '???').elsewhere).toEqual(['hidden phrase'])
})
