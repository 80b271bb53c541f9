import { isSpaceless } from '../tokenise.ts'
import { EVERYDAY_WORDS } from './everyday-words.ts'
import { joinWords, type NameWord, readOwnWords } from './read-name.ts'

const SHORT_MAX_LENGTH = 4
/** A Chinese, Japanese or Korean character says as much as a syllable. */
const SHORT_MAX_CHARACTERS = 2
const NUMBER_OR_LETTERS = /^(?:\p{N}+|\p{L}{1,2})$/u

/** Says in plain words why a name alone is never a certain match; null for a distinctive name. */
export function explainEntry({ name }: { name: string }): { everydayName: string | null } {
  return { everydayName: explainWords(readOwnWords(name)) }
}

/** The same for the words of a name without legal forms. */
export function explainWords(words: readonly NameWord[]): string | null {
  const joined = joinWords(words)
  if (joined === '') return 'The name has no letters. Add a domain.'
  const shortLength = isSpaceless(joined) ? SHORT_MAX_CHARACTERS : SHORT_MAX_LENGTH
  if (joined.length <= shortLength)
    return 'The name is short. Matches by name alone have to be confirmed; add a domain.'
  if (words.every(({ text }) => isEveryday(text)))
    return 'Many organisations have this name. Matches by name alone have to be confirmed; add a domain.'
  return null
}

/** Returns true for a word that distinguishes no organisation from others. */
export function isEveryday(word: string): boolean {
  return EVERYDAY_WORDS.has(word) || (!isSpaceless(word) && NUMBER_OR_LETTERS.test(word))
}
