/**
 * Returns true if a phrase begins at a position of a text's tokens. Tokens are words or their numbers in a dictionary.
 */
export function standsAt<T>(tokens: ArrayLike<T>, phrase: readonly T[], at: number, end: number): boolean {
  if (at + phrase.length > end) return false
  for (let index = 0; index < phrase.length; index++) {
    if (tokens[at + index] !== phrase[index]) return false
  }
  return true
}

/** The first position, from one on and before an end, at which a phrase stands; -1 where there is none. */
export function findPhrase<T>(tokens: ArrayLike<T>, phrase: readonly T[], from: number, end: number): number {
  for (let at = from; at + phrase.length <= end; at++) {
    if (standsAt(tokens, phrase, at, end)) return at
  }
  return -1
}
