import { expect, test } from 'vitest'
import { foldCharacter, tokenise } from './tokenise.ts'

const placed = (text: string) => tokenise(text).map((token) => [token.text, token.start, token.end])

test('the range of a letter includes a removed accent after it', () => {
  expect(placed('cafe\u0301 x')).toEqual([
    ['cafe', 0, 5],
    ['x', 6, 7],
  ])
  // Of a block that few texts have.
  expect(placed('a\u1dc4 b')).toEqual([
    ['a', 0, 2],
    ['b', 3, 4],
  ])
})

test('invisible characters belong to no token', () => {
  expect(placed('会\u2060社')).toEqual([
    ['会', 0, 1],
    ['社', 2, 3],
  ])
})

test('a longer run of letters is cut, and nothing of it is lost', () => {
  const places = tokenise('x'.repeat(300)).map(({ text, start, end }) => [text.length, start, end])
  expect(places).toEqual([
    [128, 0, 128],
    [128, 128, 256],
    [44, 256, 300],
  ])
})

test('combining marks after a full token are cut, but belong to its range', () => {
  const [token, ...others] = tokenise(`${'x'.repeat(128)}\u093f`)
  expect([token?.text.length, token?.end, others]).toEqual([128, 129, []])
})

test('ASCII and other letters of a word are one token, cut at the same length', () => {
  expect(placed('CaféX1 xÆz 社Ab')).toEqual([
    ['cafex1', 0, 6],
    ['xaez', 7, 10],
    ['社', 11, 12],
    ['ab', 12, 14],
  ])
  const places = tokenise(`é${'X'.repeat(200)}`).map(({ text, start, end }) => [text.length, start, end])
  expect(places).toEqual([
    [128, 0, 128],
    [73, 128, 201],
  ])
})

test.each([
  ['é', 'e'],
  ['ß', 'ss'],
  ['ẞ', 'ss'],
  ['İ', 'i'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ['ё', 'е'],
  ['ø', 'o'],
  ['Ł', 'l'],
  ['Æ', 'ae'],
  ['ﬁ', 'fi'],
  ['Ａ', 'a'],
  ['𝕃', 'l'],
  ['أ', 'ا'],
])('folds %s to %s', (character, folded) => {
  expect(foldCharacter(character)).toBe(folded)
})

test.each([
  ['a voiced kana', 'ガ', 'カ'],
  ['a Devanagari vowel sign', 'कि', 'क'],
  ['a Thai vowel sign', 'กิ', 'ก'],
])('keeps %s apart from the bare letter', (_, marked, bare) => {
  expect(foldText(marked)).not.toBe(foldText(bare))
})

test.each(['\u200b', '\u202e', '\u2066', '\u00ad', '\ufeff', '\ufe0f', '\u0301', '\u0640'])(
  'leaves nothing of an invisible character or an accent (%j)',
  (character) => {
    expect(foldCharacter(character)).toBe('')
  },
)

function foldText(text: string): string {
  return Array.from(text, foldCharacter).join('')
}
