import { expect, test } from 'vitest'
import { findMatches } from './find-matches.ts'
import { parseKeyword } from './keyword.ts'
import { type MatchableProfile, prepareProfiles } from './match-profiles.ts'
import { normaliseTexts } from './normalise-text.ts'

test.each([
  ['one word', 'a'.repeat(1_000_000), 'a'],
  ['near misses', 'a '.repeat(500_000), `${'a '.repeat(99)}b`],
  ['ideographs', '語'.repeat(333_333), '語'.repeat(50)],
  ['stacked accents', `a${'\u0301'.repeat(500_000)}`, 'a'],
  ['stacked vowel signs', `ก${'\u0e38'.repeat(300_000)}`, 'ก'],
  ['lone surrogates', '\ud800'.repeat(500_000), 'a'],
])('takes a megabyte of %s in its stride', (_, text, keyword) => {
  const parsed = parseKeyword(keyword)
  if (!parsed) throw new Error('No keyword')
  const started = performance.now()
  findMatches(parsed, text)
  expect(performance.now() - started).toBeLessThan(3_000)
})

test('compares 20,000 keywords with 1,000 records in moments', () => {
  const profiles: MatchableProfile[] = Array.from({ length: 1000 }, (_, profile) => ({
    id: String(profile),
    keywords: Array.from({ length: 20 }, (_, keyword) => `name${profile} part${keyword}`),
    categories: [],
  }))
  const searchText = normaliseTexts([`name7 part3 ${'words and words '.repeat(100)}`])
  const started = performance.now()
  const match = prepareProfiles(profiles)
  for (let record = 0; record < 1000; record++)
    expect(match({ category: 'Other', searchText })).toHaveLength(1)
  expect(performance.now() - started).toBeLessThan(2_000)
})
