import { expect, test } from 'vitest'
import { foldCharacter } from './tokenise.ts'

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

function foldText(text: string): string {
  return Array.from(text, foldCharacter).join('')
}
