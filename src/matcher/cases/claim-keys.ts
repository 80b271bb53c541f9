import { isEveryday } from '../names/explain-entry.ts'
import { BRAND_MIN_LENGTH, labelOf } from '../names/name-index.ts'
import type { Claim } from './claim.ts'
import { readClaim } from './read-claim.ts'

const KEYS_MAX_COUNT = 12
const KEY_MAX_LENGTH = 80
const BEGINNING_LENGTH = 6
const WORD_MIN_LENGTH = 4
const WORDS_MAX_COUNT = 3

/** Keys of which claims that may be of one victim have one in common: domains, names, their beginnings, and rare words. */
export function claimKeys(claim: Claim): string[] {
  const { names, ownDomains } = readClaim(claim)
  const labels = ownDomains.map(labelOf).filter((label) => label.length >= BRAND_MIN_LENGTH)
  const words = names.flatMap(({ words }) =>
    words
      .map(({ text }) => text)
      .filter((word) => word.length >= WORD_MIN_LENGTH && !isEveryday(word))
      .toSorted((one, other) => other.length - one.length)
      .slice(0, WORDS_MAX_COUNT),
  )
  const whole = [...names.map(({ joined }) => joined), ...labels]
  const keys = [
    ...ownDomains.map((domain) => `domain:${domain}`),
    ...[...whole, ...names.flatMap(({ initials }) => initials)].filter(Boolean).map((name) => `name:${name}`),
    ...[...whole, ...names.map(({ beginning }) => beginning.replaceAll('-', ''))]
      .filter((name) => name.length >= BEGINNING_LENGTH)
      .map((name) => `begins:${name.slice(0, BEGINNING_LENGTH)}`),
    ...words.map((word) => `word:${word}`),
  ]
  return [...new Set(keys.map((key) => key.slice(0, KEY_MAX_LENGTH)))].slice(0, KEYS_MAX_COUNT)
}
