import { expect, test } from 'vitest'
import { findMatches } from './find-matches.ts'
import { holdsKeyword, parseKeyword } from './keyword.ts'
import { normaliseText } from './normalise-text.ts'

test.each([
  ['lock bit', 'The Lock-Bit gang, lock bit', ['Lock-Bit', 'lock bit']],
  ['strasse', 'Große Straße', ['Straße']],
  ['lockbit', 'a l\u200bock\u202ebit b', ['l\u200bock\u202ebit']],
  ['cafe', 'Cafe\u0301 noir', ['Cafe\u0301']],
  ['会社', '株式会社サーバー', ['会社']],
  ['example.com', 'see https://www.example.com/x', ['example.com']],
  ['a a', 'a a a a a', ['a a', 'a a']],
  ['a b a c', 'a b a b a c', ['a b a c']],
  ['lock', 'lockbit locker', []],
  ['kg', '5㎏', []],
  ['5kg', '5㎏', ['5㎏']],
])('finds %s', (keyword, text, found) => {
  expect(stretches(keyword, text)).toEqual(found)
})

test('agrees with the normalised form on any text', () => {
  const alphabet = [
    'a',
    'b',
    'A',
    'á',
    'ß',
    'S',
    ' ',
    '-',
    '語',
    '\u200b',
    '\u0301',
    'ก',
    '\u0e38',
    '👍',
    '\ud800',
    '1',
  ]
  const random = createRandom(20_26)
  const draw = (length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? '').join('')
  let found = 0
  for (let round = 0; round < 20_000; round++) {
    const keyword = parseKeyword(draw(1 + Math.floor(random() * 4)))
    const text = draw(Math.floor(random() * 30))
    if (!keyword) continue
    const matches = findMatches(keyword, text)
    expect(matches.length > 0, `${keyword.text} in ${text}`).toBe(holdsKeyword(normaliseText(text), keyword))
    for (const { start, end } of matches) {
      expect(holdsKeyword(normaliseText(text.slice(start, end)), keyword)).toBe(true)
      found++
    }
  }
  expect(found).toBeGreaterThan(1000)
})

function stretches(keyword: string, text: string): string[] {
  const parsed = parseKeyword(keyword)
  return parsed ? findMatches(parsed, text).map(({ start, end }) => text.slice(start, end)) : []
}

/** A linear congruential generator: the same rounds in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
