/** A word, or one character of a script that writes no spaces. `start` and `end` are offsets into the original text. */
export type Token = { text: string; start: number; end: number }

// Marks that a word is recognised without: accents, Hebrew points, Arabic vowels. Those of Thai or Devanagari are
// letters in all but name and stay, as do the voicing marks that tell が from か, and the Greek iota that is a mark in
// lower case only.
const ACCENT =
  /(?![\u0345\u3099\u309a])[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]/gv
// Zero-width characters, bidi controls, soft hyphens, variation selectors; and the stroke that stretches Arabic words.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gu
const STROKED = /[øłđħŧæœ]/g
const UNSTROKED: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['æ', 'ae'],
  ['œ', 'oe'],
])

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
  let isAscii = true
  let at = 0

  while (at < text.length) {
    const start = at
    const room: number = last && isRun ? TOKEN_MAX_LENGTH - last.text.length : 0
    at = endOfAsciiRun(text, start, room > 0 ? room : TOKEN_MAX_LENGTH)
    if (at > start) {
      const run = foldAsciiRun(text, start, at)
      if (last && room > 0) {
        append(last, run, at)
      } else {
        last = { text: run, start, end: at }
        tokens.push(last)
      }
      isRun = true
      continue
    }
    const character = characterAt(text, start)
    at += character.length
    isAscii &&= character <= '\u007f'
    const parts = COMMON_PARTS[character.charCodeAt(0)] ?? rareParts.get(character) ?? partsOf(character)
    if (character > '\u07ff') rareParts.set(character, parts)

    for (const part of parts) {
      if (part.kind === 'break') {
        last = null
      } else if (part.kind === 'mark') {
        if (last) append(last, part.text, at)
      } else if (last && isRun && part.kind === 'letter' && last.text.length < TOKEN_MAX_LENGTH) {
        append(last, part.text, at)
      } else {
        last = { text: part.text, start, end: at }
        isRun = part.kind === 'letter'
        tokens.push(last)
      }
    }
  }
  // Marks that were typed in different orders are the same marks.
  if (!isAscii) for (const token of tokens) token.text = token.text.normalize('NFC')
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

/** The end of the ASCII letters and digits that begin at an offset, `maxLength` at most: the offset itself if there are none. */
function endOfAsciiRun(text: string, start: number, maxLength: number): number {
  const last = Math.min(text.length, start + maxLength)
  let end = start
  while (end < last && isAsciiWord(text.charCodeAt(end))) end++
  return end
}

function isAsciiWord(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39
  // Upper and lower case differ in one bit.
  const lower = code | 0x20
  return isDigit || (lower >= 0x61 && lower <= 0x7a)
}

/** ASCII letters and digits in lower case. A copy: a slice could keep a whole text in memory for one word. */
function foldAsciiRun(text: string, start: number, end: number): string {
  let folded = ''
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    folded += String.fromCharCode(code <= 0x39 ? code : code | 0x20)
  }
  return folded
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}

/**
 * Returns a character without its width, font, letter case and accents; empty for accents and invisible characters.
 * Folding a folded character changes nothing.
 */
export function foldCharacter(character: string): string {
  return foldCase(decompose(character)).replace(STROKED, (letter) => UNSTROKED.get(letter) ?? letter)
}

/** Full case folding by way of upper case, so that ß, ẞ and SS become one. */
function foldCase(text: string): string {
  return decompose(text.toLowerCase().toUpperCase().toLowerCase())
}

function decompose(text: string): string {
  return text.normalize('NFKD').replace(ACCENT, '').replace(INVISIBLE, '')
}
