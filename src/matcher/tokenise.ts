import { foldCharacter } from './fold-character.ts'

/** A word, or one character of a script that writes no spaces. `start` and `end` are offsets into the original text. */
export type Token = { text: string; start: number; end: number }

type Part = { text: string; kind: 'letter' | 'spaceless' | 'mark' | 'break' }

/** Longer runs are cut: nobody searches for them, and indexes cap their entries. */
const TOKEN_MAX_LENGTH = 128

const MARK = /^\p{M}/u
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u
const SPACELESS =
  /^[\p{L}&&[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tale}\p{scx=Talu}\p{scx=Lana}\p{scx=Tavt}\p{scx=Bali}\p{scx=Java}]]/v

/** Alphabets of two bytes in UTF-8, which are nearly all of nearly every text. */
const COMMON_PARTS = Array.from({ length: 0x800 }, (_, code) => partsOf(String.fromCharCode(code)))

/** The tokens of a text, in order. Linear in the text's length, whatever it holds. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  const rareParts = new Map<string, Part[]>()
  let last: Token | null = null
  let isRun = false
  let end = 0

  for (const character of text) {
    const start = end
    end += character.length
    const parts = COMMON_PARTS[character.charCodeAt(0)] ?? rareParts.get(character) ?? partsOf(character)
    if (character > '\u07ff') rareParts.set(character, parts)

    for (const part of parts) {
      if (part.kind === 'break') {
        last = null
      } else if (part.kind === 'mark') {
        if (last) append(last, part.text, end)
      } else if (last && isRun && part.kind === 'letter' && last.text.length < TOKEN_MAX_LENGTH) {
        append(last, part.text, end)
      } else {
        last = { text: part.text, start, end }
        isRun = part.kind === 'letter'
        tokens.push(last)
      }
    }
  }
  // Marks that were typed in different orders are the same marks.
  for (const token of tokens) token.text = token.text.normalize('NFC')
  return tokens
}

/** Returns true if a token is a character of a script without spaces between words. */
export function isSpaceless(token: string): boolean {
  return SPACELESS.test(token)
}

function append(token: Token, text: string, end: number): void {
  if (token.text.length < TOKEN_MAX_LENGTH) token.text += text
  token.end = end
}

function partsOf(character: string): Part[] {
  const folded = foldCharacter(character)
  // An accent is part of the letter before it, though nothing of it is left.
  if (folded === '') return MARK.test(character) ? [{ text: '', kind: 'mark' }] : []
  return Array.from(folded, (text) => ({ text, kind: kindOf(text) }))
}

function kindOf(text: string): Part['kind'] {
  if (MARK.test(text)) return 'mark'
  if (!LETTER_OR_DIGIT.test(text)) return 'break'
  return SPACELESS.test(text) ? 'spaceless' : 'letter'
}
