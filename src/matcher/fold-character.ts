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
