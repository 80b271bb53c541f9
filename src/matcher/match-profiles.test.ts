import { expect, test } from 'vitest'
import { type MatchableProfile, prepareProfiles } from './match-profiles.ts'
import { normaliseTexts } from './normalise-text.ts'

const threat = { category: 'Ransomware', searchText: normaliseTexts(['LockBit hits', 'Ácme Corp']) }

test.each([
  ['any of its keywords', { keywords: ['nothing', 'ACME'], categories: [] }, true],
  ['a phrase', { keywords: ['"acme corp"'], categories: [] }, true],
  ['no keyword', { keywords: ['nothing', 'hits acme', 'lock'], categories: [] }, false],
  ['a keyword and its category', { keywords: ['lockbit'], categories: ['DDoS', 'Ransomware'] }, true],
  ['its category in another letter case', { keywords: ['lockbit'], categories: ['ransomware'] }, true],
  ['a keyword in another category', { keywords: ['lockbit'], categories: ['DDoS'] }, false],
])('judges a profile by %s', (_, criteria, isMatch) => {
  const match = prepareProfiles([{ id: 'one', ...criteria }])
  expect(match(threat).map(({ profileId }) => profileId)).toEqual(isMatch ? ['one'] : [])
})

test('says which keywords matched', () => {
  const match = prepareProfiles([
    { id: 'one', keywords: ['acme', 'nothing', 'lockbit hits'], categories: [] },
  ])
  expect(
    match(threat)[0]
      ?.keywords.map(({ text }) => text)
      .sort(),
  ).toEqual(['acme', 'lockbit hits'])
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
