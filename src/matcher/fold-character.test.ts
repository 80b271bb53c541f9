import { expect, test } from 'vitest'
import { foldCharacter } from './fold-character.ts'

const LAST_CODE_POINT = 0x10_ff_ff
const UNASSIGNED = /[\p{Cn}\p{Co}\p{Cs}]/u

test('gives every character of Unicode one form, whatever its letter case, and folds no further', () => {
  const unstable: string[] = []
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    const character = String.fromCodePoint(code)
    if (UNASSIGNED.test(character)) continue
    const folded = foldCharacter(character)
    const variants = [folded, character.toUpperCase(), character.toLowerCase()]
    if (variants.some((variant) => foldText(variant) !== folded)) unstable.push(code.toString(16))
  }
  expect(unstable).toEqual([])
}, 30_000)

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
