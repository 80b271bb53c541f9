import { expect, test } from 'vitest'
import { prepareProfiles } from './match-profiles.ts'
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
  expect(match(threat)).toEqual(isMatch ? ['one'] : [])
})
