import { expect, test } from 'vitest'
import { type ClaimPair, clusterClaims } from './cluster-claims.ts'

function pairs(...texts: string[]): ClaimPair[] {
  return texts.map((text) => ({ one: text.charAt(0), other: text.charAt(1) }))
}

test.for([
  ['claims without a link stay alone', 'abc', [], [], 'a b c'],
  ['links connect claims, also by way of others', 'abcd', ['ab', 'bc'], [], 'abc d'],
  ['the order of links does not matter where nothing stays apart', 'abcd', ['cd', 'ab', 'bd'], [], 'abcd'],
  ['two claims that stay apart are never in one group', 'abc', ['ab', 'bc'], ['ac'], 'ab c'],
  ['the stronger link wins', 'abc', ['bc', 'ab'], ['ac'], 'a bc'],
  ['groups stay apart if two of their claims do', 'abcd', ['ab', 'cd', 'bc'], ['ad'], 'ab cd'],
  ['a link to a claim that is elsewhere connects nothing', 'ab', ['ax', 'bx'], [], 'a b'],
] as const)('%s', ([, ids, links, apart, expected]) => {
  const groups = clusterClaims([...ids], pairs(...links), pairs(...apart))
  expect(groups.map((group) => group.join('')).join(' ')).toBe(expected)
})
