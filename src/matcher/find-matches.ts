import type { Keyword } from './keyword.ts'
import { tokenise } from './tokenise.ts'

/** A stretch of the original text, for highlighting. */
export type Match = { start: number; end: number }

/** Where a keyword stands in a text, first to last, none overlapping. Linear: Knuth, Morris and Pratt, on tokens. */
export function findMatches({ tokens: wanted }: Keyword, text: string): Match[] {
  const tokens = tokenise(text)
  const borders = findBorders(wanted)
  const matches: Match[] = []
  let matched = 0
  for (const [index, token] of tokens.entries()) {
    while (matched > 0 && wanted[matched] !== token.text) matched = borders[matched - 1] ?? 0
    if (wanted[matched] === token.text) matched++
    if (matched === wanted.length) {
      matches.push({ start: tokens[index - matched + 1]?.start ?? 0, end: token.end })
      matched = 0
    }
  }
  return matches
}

/** For each prefix of the tokens, the length of the longest shorter prefix that it ends with. */
function findBorders(tokens: readonly string[]): number[] {
  const borders = [0]
  let length = 0
  for (const token of tokens.slice(1)) {
    while (length > 0 && tokens[length] !== token) length = borders[length - 1] ?? 0
    if (tokens[length] === token) length++
    borders.push(length)
  }
  return borders
}
