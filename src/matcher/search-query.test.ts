import { expect, test } from 'vitest'
import { matchesSearch } from '#test/support/matches-search.ts'
import { describeKeyword } from './keyword.ts'
import { normaliseTexts } from './normalise-text.ts'
import { parseSearch, type SearchQuery } from './search-query.ts'

const describeSearch = ({ keywords }: SearchQuery) => keywords.map(describeKeyword).join(' and ')

test.each([
  ['lockbit', 'lockbit'],
  ['LockBit  acme', 'lockbit and acme'],
  ['"lock bit" acme', '"lock bit" and acme'],
  ['“Lock Bit” «acme corp»', '"lock bit" and "acme corp"'],
  ['example.com', '"example com"'],
  ['株式会社', '"株式会社"'],
  ['被LockBit攻击', '"被 lockbit 攻击"'],
  ['acme ACME', 'acme'],
  ['', ''],
])('understands %s as %s', (text, description) => {
  expect(describeSearch(parseSearch(text))).toBe(description)
})

test('says which words it cannot use', () => {
  const query = parseSearch('*** acme "🔥"')
  expect(describeSearch(query)).toBe('acme')
  expect(query.problems.map((problem) => problem.text)).toEqual(['***', '🔥'])
})

test('reads an unclosed phrase to the end and says so', () => {
  const query = parseSearch('acme "lock bit')
  expect(describeSearch(query)).toBe('acme and "lock bit"')
  expect(query.problems).toEqual([{ text: 'lock bit', reason: 'Its quotation mark is not closed.' }])
})

test.each([
  ['acme lockbit', true],
  ['"lockbit hits"', true],
  ['"hits lockbit"', false],
  ['lock', false],
  ['acme missing', false],
  ['ACME.example', true],
  ['"hits acme"', false],
])('answers %s with %s', (text, isAnswer) => {
  const record = normaliseTexts(['LockBit hits', 'Ácme.example'])
  expect(matchesSearch(record, parseSearch(text))).toBe(isAnswer)
})

test.each([
  ['a b "" "  "', []],
  ['a " - "', [{ text: '-', reason: 'It holds no letter and no digit.' }]],
  ['a b "lock bit ', [{ text: 'lock bit', reason: 'Its quotation mark is not closed.' }]],
  ['a b "', [{ text: '"', reason: 'Its quotation mark is not closed.' }]],
  ['a „ ', [{ text: '„', reason: 'Its quotation mark is not closed.' }]],
])('says of %j what was not used as written', (text, problems) => {
  expect(parseSearch(text).problems).toEqual(problems)
})
