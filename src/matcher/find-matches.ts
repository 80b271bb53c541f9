import type { Keyword } from './keyword.ts'
import { findPhrase } from './phrase.ts'
import { tokenise } from './tokenise.ts'

/** A stretch of the original text, for highlighting. */
export type Match = { start: number; end: number }

/** Returns the matches of a keyword in a text, first to last, without overlap. */
export function findMatches({ tokens: phrase }: Keyword, text: string): Match[] {
  const tokens = tokenise(text)
  const words = tokens.map((token) => token.text)
  const find = (from: number) => findPhrase(words, phrase, from, words.length)
  const matches: Match[] = []
  for (let at = find(0); at >= 0; at = find(at + phrase.length)) {
    const [first, last] = [tokens[at], tokens[at + phrase.length - 1]]
    if (first && last) matches.push({ start: first.start, end: last.end })
  }
  return matches
}
