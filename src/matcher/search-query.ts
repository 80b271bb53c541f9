import { type Keyword, parseKeyword } from './keyword.ts'

/** A search of words: a record matches if it contains every keyword, each in any of its texts. */
export type SearchQuery = {
  keywords: readonly Keyword[]
  /** Parts that were not used as written, each with the reason. */
  problems: readonly { text: string; reason: string }[]
}

const OPENING_QUOTES = new Set('"“”„‟«»＂')
const SPACE = /\s/

/** Reads words and "quoted phrases". */
export function parseSearch(text: string): SearchQuery {
  const problems: { text: string; reason: string }[] = []
  const keywords = new Map<string, Keyword>()

  const { pieces, open } = splitSearch(text)
  for (const piece of pieces) {
    const keyword = parseKeyword(piece)
    if (keyword) keywords.set(keyword.normalised, keyword)
    else problems.push({ text: piece, reason: 'It holds no letter and no digit.' })
  }
  if (open !== null) problems.push({ text: open, reason: 'Its quotation mark is not closed.' })
  return { keywords: [...keywords.values()], problems }
}

/** Its pieces, and what follows a quotation mark that is not closed: the mark itself where nothing does. */
function splitSearch(text: string): { pieces: string[]; open: string | null } {
  const pieces: string[] = []
  let piece = ''
  let mark = ''
  let isQuoted = false
  for (const character of text) {
    const isQuote = OPENING_QUOTES.has(character)
    if (isQuote || (!isQuoted && SPACE.test(character))) {
      if (piece.trim() !== '') pieces.push(piece.trim())
      piece = ''
      if (isQuote) {
        isQuoted = !isQuoted
        mark = character
      }
    } else {
      piece += character
    }
  }
  const last = piece.trim()
  if (last !== '') pieces.push(last)
  return { pieces, open: isQuoted ? last || mark : null }
}
