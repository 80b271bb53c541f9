import { expect, test } from 'vitest'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { countFieldTexts, searchedText, termsOf, wantedTerms } from './threat-terms.ts'

const AT = '2026-03-10T12:00:00.000Z'
const bare = { title: null, category: null, severity: null, actors: [], countries: [] }
const termsWith = (some: Parameters<typeof makeThreat>[2]) =>
  termsOf(makeThreat('thr_1', AT, { ...bare, ...some })).map(({ term }) => term)

test('values are terms whatever their letter case and accents, each once, as they were written last', () => {
  const threat = makeThreat('thr_1', AT, { ...bare, actors: ['Löck Bit', 'LOCK BIT'], severity: 'High' })
  expect(termsOf(threat)).toEqual([
    { term: 'actor:lock bit', value: 'LOCK BIT' },
    { term: 'severity:high', value: 'High' },
  ])
  expect(termsWith({ countries: [{ code: 'de', name: 'Germany' }] })).toEqual(['country:DE'])
  expect(termsWith({ actors: ['***'] })).toEqual(['actor:***'])
  expect(termsWith({})).toEqual([])
})

test('a value that is too long for an index is not a term, and matches no filter', () => {
  const words = (length: number) =>
    'ab '
      .repeat(length)
      .slice(0, length - 1)
      .concat('c')
  // With its name it may have 512 characters.
  const longest = words(512 - 'actor:'.length)
  expect(termsWith({ actors: [longest, `${longest}c`] })).toEqual([`actor:${longest}`])
  expect(wantedTerms({ actor: [words(513)], severity: [] })).toEqual(new Map([['actor', []]]))
  // As it is written it may not have more, though it would be short enough once it is folded.
  const accented = 'e\u0301 '.repeat(300)
  expect(termsWith({ actors: [accented.slice(0, 513)] })).toEqual([])
  expect(termsWith({ actors: [accented.slice(0, 512)] })).toHaveLength(1)
})

test('parts that a list reports are terms, and those that it does not are none', () => {
  expect(termsWith({ listSays: { analysis: true, evidence: false } })).toEqual(['has:analysis'])
  expect(termsWith({ listSays: { source: 'Forum.example' } })).toEqual(['source:forum example'])
  expect(termsWith({ listSays: { source: null } })).toEqual([])
  expect(termsWith({ listSays: {} })).toEqual([])
})

test('texts of a field are counted, without those that hold no word', () => {
  const threat = makeThreat('thr_1', AT, {
    organizations: ['Northwind', '***'],
    domains: ['north.example'],
    countries: [
      { code: 'DE', name: 'Germany' },
      { code: null, name: 'Atlantis' },
    ],
  })
  expect(countFieldTexts(threat)).toEqual({ victims: 1, domains: 1, industries: 0, places: 2 })
})

test('a search reads each text of a record apart from the next', () => {
  const named = {
    organizations: ['North'],
    domains: ['Bank'],
    industries: ['of'],
    countries: [{ code: null, name: 'Ems' }],
  }
  const text = searchedText(makeThreat('thr_1', AT, { ...bare, title: 'One', excerpt: 'two', ...named }))
  expect(
    text
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter(Boolean),
  ).toEqual(['one', 'two', 'north', 'bank', 'of', 'ems'])
  expect(text).not.toMatch(/north bank/)
  expect(searchedText(makeThreat('thr_1', AT, bare)).trim()).toBe('')
})
