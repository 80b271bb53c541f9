import type { WindowPlace } from '#bff/window/store/threat-queries.ts'
import type { TimeBounds } from '#bff/window/store/threat-scope.ts'
import type { ThreatFacets, ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Question } from '#matcher/question.ts'
import { type IndexRows, newestFirst, SIGNATURE_LENGTH, signatureBit } from './index-rows.ts'
import { FACET_NAMES, type FacetName, wantedTerms } from './threat-terms.ts'

const FACET_MAX_COUNT = 100

export type Selector = {
  filter: ThreatFilter
  bounds: TimeBounds
  question: Question
  /** What else must hold of a record, by its id. */
  accepts?: ((id: string) => boolean) | undefined
}

export type Selection = {
  /** The rows that the filter matches, newest first. */
  matched: Int32Array
  /** How often each term occurs among the rows that the filters of other names match. */
  termCounts: Int32Array
}

/** Looks once at each row of the asked time: exact counts for all names, in some ms for 100,000 rows. */
export function selectRows(rows: IndexRows, { filter, bounds, question, accepts }: Selector): Selection {
  const { terms, termStarts, ids } = rows
  const { termBits } = rows.dictionaries
  const { wanted, wantedBits } = wantedOf(rows, filter)
  const phrases = phrasesOf(rows, question)
  const signature = signatureOf(phrases ?? [])
  const first = bounds.end === null ? 0 : firstBefore(rows, bounds.end)
  const end = bounds.start === null ? rows.count : firstBefore(rows, bounds.start)

  const matched = new Int32Array(Math.max(0, end - first))
  const termCounts = new Int32Array(rows.dictionaries.terms.words.length)
  let found = 0
  for (let row = first; phrases !== null && row < end; row++) {
    if (!isSigned(rows, row, signature)) continue
    const from = termStarts[row] ?? 0
    const to = termStarts[row + 1] ?? 0
    let own = 0
    for (let at = from; at < to; at++) own |= wantedBits[terms[at] ?? 0] ?? 0
    const missing = wanted & ~own
    // A row that fails one name alone counts for that name's values: with one of them it would match.
    if ((missing & (missing - 1)) !== 0 || !holdsAll(rows, row, phrases)) continue
    if (accepts && !accepts(ids[row] ?? '')) continue
    if (missing === 0) matched[found++] = row
    for (let at = from; at < to; at++) {
      const term = terms[at] ?? 0
      if (missing === 0 || termBits[term] === missing) termCounts[term] = (termCounts[term] ?? 0) + 1
    }
  }
  return { matched: matched.subarray(0, found), termCounts }
}

/** The page of a selection that follows a place. */
export function pageOf(
  { ids, at }: IndexRows,
  { matched }: Selection,
  { after, limit }: { after: WindowPlace | null; limit: number },
): { ids: string[]; next: WindowPlace | null } {
  const isPast = (row: number) =>
    after === null || newestFirst(Date.parse(after.at), after.id, at[row] ?? 0, ids[row] ?? '') < 0
  const start = bisect(matched.length, (place) => isPast(matched[place] ?? 0))
  const page = matched.subarray(start, start + limit)
  const last = page.at(-1)
  const goesOn = last !== undefined && start + limit < matched.length
  return {
    ids: Array.from(page, (row) => ids[row] ?? ''),
    next: goesOn ? { at: new Date(at[last] ?? 0).toISOString(), id: ids[last] ?? '' } : null,
  }
}

/** The most frequent values of each name. */
export function facetsOf({ dictionaries }: IndexRows, { termCounts }: Selection): ThreatFacets {
  const counted = Array.from(termCounts, (count, number) => ({ count, number })).filter(
    ({ count }) => count > 0,
  )
  const facet = (name: FacetName) => {
    const bit = 1 << FACET_NAMES.indexOf(name)
    return counted
      .filter(({ number }) => dictionaries.termBits[number] === bit)
      .map(({ count, number }) => ({ count, term: dictionaries.terms.words[number] ?? '', number }))
      .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
      .slice(0, FACET_MAX_COUNT)
      .map(({ count, term, number }) => ({ value: dictionaries.termValues[number] ?? term, count }))
  }
  return {
    category: facet('category'),
    country: facet('country'),
    actor: facet('actor'),
    industry: facet('industry'),
    severity: facet('severity'),
  }
}

/** The first row that is older than a moment. */
function firstBefore({ at, count }: IndexRows, moment: number): number {
  return bisect(count, (row) => (at[row] ?? 0) < moment)
}

/** The first place from which on something is so. */
function bisect(count: number, isSo: (place: number) => boolean): number {
  let from = 0
  let to = count
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isSo(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** The bits of the names in use, and for each term of the filter its name's bit. */
function wantedOf(
  { dictionaries }: IndexRows,
  filter: ThreatFilter,
): { wanted: number; wantedBits: Uint8Array } {
  const wantedBits = new Uint8Array(dictionaries.terms.words.length)
  let wanted = 0
  for (const [name, terms] of wantedTerms(filter)) {
    const bit = 1 << FACET_NAMES.indexOf(name)
    wanted |= bit
    for (const term of terms) {
      const number = dictionaries.terms.get(term)
      if (number !== undefined) wantedBits[number] = bit
    }
  }
  return { wanted, wantedBits }
}

/** Each keyword as the numbers of its tokens; null where no record can hold one of them. */
function phrasesOf({ dictionaries }: IndexRows, { keywords }: Question): number[][] | null {
  const phrases = keywords.map(({ tokens }) =>
    tokens.flatMap((token) => dictionaries.tokens.get(token) ?? []),
  )
  return phrases.every((phrase, at) => phrase.length === keywords[at]?.tokens.length) ? phrases : null
}

type Signature = { places: Int32Array; bits: Int32Array }

function signatureOf(phrases: readonly (readonly number[])[]): Signature {
  const signed = [...new Set(phrases.flat())].map(signatureBit)
  return {
    places: Int32Array.from(signed, ({ at }) => at),
    bits: Int32Array.from(signed, ({ bit }) => bit),
  }
}

/** Whether a row may hold all tokens; most that do not are ruled out. */
function isSigned({ signatures }: IndexRows, row: number, { places, bits }: Signature): boolean {
  const own = row * SIGNATURE_LENGTH
  for (let at = 0; at < places.length; at++) {
    if (((signatures[own + (places[at] ?? 0)] ?? 0) & (bits[at] ?? 0)) === 0) return false
  }
  return true
}

function holdsAll(rows: IndexRows, row: number, phrases: readonly (readonly number[])[]): boolean {
  for (let at = 0; at < phrases.length; at++) {
    if (!holdsPhrase(rows, row, phrases[at] ?? [])) return false
  }
  return true
}

function holdsPhrase({ tokens, tokenStarts }: IndexRows, row: number, phrase: readonly number[]): boolean {
  const first = phrase[0]
  const end = (tokenStarts[row + 1] ?? 0) - phrase.length
  for (let at = tokenStarts[row] ?? 0; at <= end; at++) {
    if (tokens[at] !== first) continue
    let length = 1
    while (length < phrase.length && tokens[at + length] === phrase[length]) length++
    if (length === phrase.length) return true
  }
  return false
}
