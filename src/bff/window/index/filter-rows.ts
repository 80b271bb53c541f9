import type { FeedBounds } from '#bff/time/time-range.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { findPhrase } from '#matcher/phrase.ts'
import { parseSearch } from '#matcher/search-query.ts'
import { type Dictionaries, type IndexRows, SIGNATURE_LENGTH, signatureBit } from './index-rows.ts'
import { FACET_NAMES, wantedTerms } from './threat-terms.ts'

/** Which rows match: any value of a name, all names, every keyword of the search. */
export type RowFilter = {
  filter: ThreatFilter
  /** What else must be so of a record, by its id. */
  accepts?: ((id: string) => boolean) | undefined
}

/**
 * The bit of the one name that alone keeps a row from matching: with one of that name's values it would. 0 where it
 * matches, `FAILS` where more than that is missing.
 */
export type RowTest = (row: number) => number

export const FAILS = -1

/** The only filter of rows: whatever lists, counts, exports or matches threats uses it. */
export function createRowTest(rows: IndexRows, { filter, accepts }: RowFilter): RowTest {
  const { wanted, wantedBits } = wantedNames(rows.dictionaries, filter)
  const phrases = parseSearch(filter.q ?? '').keywords.map(({ tokens }) =>
    encodePhrase(rows.dictionaries, tokens),
  )
  const known = phrases.filter((phrase) => phrase !== null)
  if (known.length < phrases.length) return () => FAILS
  const signature = signatureOf(known)
  const { terms, termStarts, ids } = rows

  return (row) => {
    if (!mayHaveTokens(rows, row, signature)) return FAILS
    let own = 0
    const end = termStarts[row + 1] ?? 0
    for (let at = termStarts[row] ?? 0; at < end; at++) own |= wantedBits[terms[at] ?? 0] ?? 0
    const missing = wanted & ~own
    if ((missing & (missing - 1)) !== 0 || !hasPhrases(rows, row, known)) return FAILS
    return accepts && !accepts(ids[row] ?? '') ? FAILS : missing
  }
}

/** Rows that follow each other: from `first` on, before `end`. */
export type RowRange = { first: number; end: number }

export function rowsWithin(rows: IndexRows, { start, end }: FeedBounds): RowRange {
  const firstBefore = (moment: number) => bisect(rows.count, (row) => (rows.at[row] ?? 0) < moment)
  return {
    first: end === null ? 0 : firstBefore(end),
    end: start === null ? rows.count : firstBefore(start),
  }
}

/** The first index from which on a condition holds (binary search); `count` where it never does. */
export function bisect(count: number, isSo: (index: number) => boolean): number {
  let from = 0
  let to = count
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isSo(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** A phrase as the numbers of its tokens; null where no row has one of them. */
export function encodePhrase({ tokens }: Dictionaries, phrase: readonly string[]): number[] | null {
  const encoded = phrase.flatMap((token) => tokens.get(token) ?? [])
  return encoded.length === phrase.length ? encoded : null
}

/** The bits of the names in use, and for each term of the filter its name's bit. */
function wantedNames(
  { terms: encoded }: Dictionaries,
  filter: ThreatFilter,
): { wanted: number; wantedBits: Uint8Array } {
  const wantedBits = new Uint8Array(encoded.words.length)
  let wanted = 0
  for (const [name, terms] of wantedTerms(filter)) {
    const bit = 1 << FACET_NAMES.indexOf(name)
    wanted |= bit
    for (const term of terms) {
      const number = encoded.get(term)
      if (number !== undefined) wantedBits[number] = bit
    }
  }
  return { wanted, wantedBits }
}

type Signature = { offsets: Int32Array; bits: Int32Array }

function signatureOf(phrases: readonly (readonly number[])[]): Signature {
  const signed = [...new Set(phrases.flat())].map(signatureBit)
  return {
    offsets: Int32Array.from(signed, ({ at }) => at),
    bits: Int32Array.from(signed, ({ bit }) => bit),
  }
}

/** Most rows that lack a token are ruled out. */
function mayHaveTokens({ signatures }: IndexRows, row: number, { offsets, bits }: Signature): boolean {
  const own = row * SIGNATURE_LENGTH
  for (let at = 0; at < offsets.length; at++) {
    if (((signatures[own + (offsets[at] ?? 0)] ?? 0) & (bits[at] ?? 0)) === 0) return false
  }
  return true
}

function hasPhrases(rows: IndexRows, row: number, phrases: readonly (readonly number[])[]): boolean {
  const { tokens, tokenStarts } = rows
  const from = tokenStarts[row] ?? 0
  const end = tokenStarts[row + 1] ?? 0
  for (const phrase of phrases) if (findPhrase(tokens, phrase, from, end) < 0) return false
  return true
}
