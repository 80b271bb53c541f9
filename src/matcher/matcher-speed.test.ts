import { expect, test } from 'vitest'
import { findMatches } from './find-matches.ts'
import { parseKeyword } from './keyword.ts'
import { type MatchableProfile, prepareProfiles } from './match-profiles.ts'
import { normaliseTexts } from './normalise-text.ts'

// Work that grows with the square of the length, or with records times keywords, takes minutes: the timeout ends it.
test.for([
  ['one word', 'a'.repeat(1_000_000), 'a', 0],
  ['near misses', 'a '.repeat(500_000), `${'a '.repeat(99)}b`, 0],
  ['ideographs', '語'.repeat(333_333), '語'.repeat(50), 6_666],
  ['stacked accents', `a${'\u0301'.repeat(500_000)}`, 'a', 1],
  ['stacked vowel signs', `ก${'\u0e38'.repeat(300_000)}`, 'ก', 0],
  ['lone surrogates', '\ud800'.repeat(500_000), 'a', 0],
] as const)('reads a megabyte of %s in linear time', { timeout: 60_000 }, ([, text, keyword, count]) => {
  const parsed = parseKeyword(keyword)
  if (!parsed) throw new Error('No keyword')
  expect(findMatches(parsed, text)).toHaveLength(count)
})

test('does not compare each of 20,000 keywords with each of 10,000 records', { timeout: 60_000 }, () => {
  const profiles: MatchableProfile[] = Array.from({ length: 1000 }, (_, profile) => ({
    id: String(profile),
    keywords: Array.from({ length: 20 }, (_, keyword) => `name${profile} part${keyword}`),
    categories: [],
  }))
  const searchText = normaliseTexts([`name7 part3 ${'words and words '.repeat(100)}`])
  const match = prepareProfiles(profiles)
  for (let record = 0; record < 10_000; record++)
    expect(match({ category: 'Other', searchText })).toHaveLength(1)
})
