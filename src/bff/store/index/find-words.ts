import { standsAt } from '#matcher/phrase.ts'
import type { Wanted } from '#matcher/query/query-tests.ts'
import {
  type Dictionaries,
  FIELD_STARTS_LENGTH,
  type IndexRows,
  SIGNATURE_LENGTH,
  signatureBit,
} from './index-rows.ts'
import { postingsOf } from './postings.ts'
import { RowSet } from './row-set.ts'

/** Texts of a row that are looked through alone, and where their starts stand among the row's. */
const FIELDS = { victim: 0, domain: 1, place: 3 } as const
type FieldName = keyof typeof FIELDS

export function isTextName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name)
}

/** Words next to each other: all but the last, and which may be the last. */
type Phrase = { words: readonly number[]; last: readonly number[] }

/** The rows in which words stand, in any of their texts or in those of one field. */
export function findWords(index: IndexRows, wanted: Wanted, field: FieldName | null): RowSet {
  const found = new RowSet(index.count)
  const phrase = readPhrase(index.dictionaries, wanted)
  if (!phrase) return found
  const { starts, rows } = postingsOf(index)
  const candidates = rarest(phrase, starts)
  const isWhole = phrase.words.length === 0 && field === null && !wanted.isEnd
  const holds = isWhole ? null : createTest(index, phrase, { isEnd: wanted.isEnd, field })
  for (const token of candidates) {
    const end = starts[token + 1] ?? 0
    for (let at = starts[token] ?? 0; at < end; at++) {
      const row = rows[at] ?? 0
      if (holds === null || holds(row)) found.add(row)
    }
  }
  return found
}

/** The rows that have any text of a field. */
export function findNamed(index: IndexRows, field: FieldName): RowSet {
  const found = new RowSet(index.count)
  for (let row = 0; row < index.count; row++) {
    const { from, end } = fieldRange(index, row, field)
    if (from < end) found.add(row)
  }
  return found
}

/** Where a field's tokens stand among all. */
function fieldRange({ tokenStarts, fieldStarts }: IndexRows, row: number, field: FieldName) {
  const start = tokenStarts[row] ?? 0
  const at = FIELDS[field]
  const place = row * FIELD_STARTS_LENGTH + at
  const isLast = at === FIELD_STARTS_LENGTH - 1
  return {
    from: start + (fieldStarts[place] ?? 0),
    end: isLast ? (tokenStarts[row + 1] ?? 0) : start + (fieldStarts[place + 1] ?? 0),
  }
}

/** Null where no row has one of the words. */
function readPhrase(dictionaries: Dictionaries, { keyword, isPrefix }: Wanted): Phrase | null {
  const texts = keyword?.tokens ?? []
  const lastText = texts.at(-1)
  const words = encodePhrase(dictionaries, texts.slice(0, -1))
  if (lastText === undefined || !words) return null
  const last = isPrefix
    ? dictionaries.tokens.startingWith(lastText)
    : (encodePhrase(dictionaries, [lastText]) ?? [])
  return last.length > 0 ? { words, last } : null
}

/** The tokens of which each row of the phrase has one, and the fewest others do. */
function rarest({ words, last }: Phrase, starts: Int32Array): readonly number[] {
  const countOf = (token: number) => (starts[token + 1] ?? 0) - (starts[token] ?? 0)
  const countOfLast = last.reduce((sum, token) => sum + countOf(token), 0)
  const [first] = words.toSorted((a, b) => countOf(a) - countOf(b))
  return first !== undefined && countOf(first) < countOfLast ? [first] : last
}

function createTest(
  index: IndexRows,
  { words, last }: Phrase,
  { isEnd, field }: { isEnd: boolean; field: FieldName | null },
): (row: number) => boolean {
  const { tokens, tokenStarts, signatures } = index
  const isLast = new Set(last)
  const signed = [...words, ...(last.length === 1 ? last : [])].map(signatureBit)

  return (row) => {
    const own = row * SIGNATURE_LENGTH
    for (const { at, bit } of signed) if (((signatures[own + at] ?? 0) & bit) === 0) return false
    const { from, end } = field
      ? fieldRange(index, row, field)
      : { from: tokenStarts[row] ?? 0, end: tokenStarts[row + 1] ?? 0 }
    for (let at = from; at + words.length < end; at++) {
      const lastAt = at + words.length
      if (!isLast.has(tokens[lastAt] ?? 0) || !standsAt(tokens, words, at, end)) continue
      // Texts are parted by the token 0.
      if (!isEnd || lastAt + 1 === end || tokens[lastAt + 1] === 0) return true
    }
    return false
  }
}

/** A phrase as the numbers of its tokens; null where no row has one of them. */
export function encodePhrase({ tokens }: Dictionaries, phrase: readonly string[]): number[] | null {
  const encoded = phrase.flatMap((token) => tokens.get(token) ?? [])
  return encoded.length === phrase.length ? encoded : null
}
