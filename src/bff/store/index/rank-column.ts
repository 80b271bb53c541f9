import { setImmediate } from 'node:timers/promises'
import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { FACET_NAMES, type FacetName } from '#contract/bff/threat-list.ts'
import { countryName, foldCountryName } from '#contract/country.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import { bisect } from './bisect.ts'
import { Dictionary } from './dictionary.ts'
import { type Dictionaries, FIELD_STARTS_LENGTH, type IndexRows, valueOfTerm } from './index-rows.ts'

/** Ranks rows by one value each. Ranks have no meaning outside of this process. */
export type RankColumn = {
  /** The rank of each row, from 0 on; `NO_RANK` without a value. */
  ranks: Int32Array
  /** The number of ranks. */
  count: number
  /** Returns the key that stands for a rank outside of the process. Empty for `NO_RANK`. */
  keyOf(rank: number): string
  /** The rank of a key; half of one where it stands between two, because no row has it any more. */
  rankOf(key: string): number
  /** A value as people write it; null where only its records know. */
  labelOf(rank: number): string | null
}

export const NO_RANK = -1

/** The rank of a value among texts in their order; half of one where it stands between two. */
export function findRank(count: number, textAt: (rank: number) => string, text: string): number {
  const at = bisect(count, (rank) => textAt(rank) >= text)
  return at < count && textAt(at) === text ? at : at - 0.5
}

/** Ranks rows by their first value of a name. */
export function rankTerms(rows: IndexRows, name: FacetName): RankColumn {
  const { dictionaries, terms, termStarts, slots, count } = rows
  const { words } = dictionaries.terms
  const bit = 1 << FACET_NAMES.indexOf(name)
  const textOf = TEXTS[name] ?? ((key: string) => key)
  const values = words
    .flatMap((word, term) => {
      const key = word.slice(name.length + 1)
      if (dictionaries.termBits[term] !== bit || key === '') return []
      const label = name === 'country' ? (countryName(key) ?? key) : valueOfTerm(dictionaries, term)
      return { key, text: textOf(key), label, term }
    })
    .sort((a, b) => compareTexts(a.text, b.text))
  const rankByTerm = new Int32Array(words.length).fill(NO_RANK)
  for (const [rank, { term }] of values.entries()) rankByTerm[term] = rank
  const ranks = new Int32Array(count).fill(NO_RANK)
  for (let row = 0; row < count; row++) {
    const slot = slots[row] ?? 0
    const end = termStarts[slot + 1] ?? 0
    for (let at = termStarts[slot] ?? 0; at < end; at++) {
      const rank = rankByTerm[terms[at] ?? 0] ?? NO_RANK
      if (rank === NO_RANK) continue
      ranks[row] = rank
      break
    }
  }
  return {
    ranks,
    count: values.length,
    keyOf: (rank) => values[rank]?.key ?? '',
    rankOf: (key) =>
      key === '' ? NO_RANK : findRank(values.length, (rank) => values[rank]?.text ?? '', textOf(key)),
    labelOf: (rank) => values[rank]?.label ?? null,
  }
}

/** The least grave first, and before it what is not on the scale; countries by their English names. */
const TEXTS: Partial<Record<FacetName, (key: string) => string>> = {
  severity: (key) => {
    const known: readonly string[] = SEVERITIES
    return `${known.includes(key) ? known.length - known.indexOf(key) : 0} ${key}`
  },
  country: (key) => `${foldCountryName(countryName(key) ?? key)} ${key}`,
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Ranks rows by the time of publication, which is their order already. */
export function rankTimes({ at, count }: IndexRows): RankColumn {
  const ranks = new Int32Array(count).fill(NO_RANK)
  const values = new Float64Array(count)
  let known = 0
  for (let row = count - 1; row >= 0; row--) {
    const time = at[row] ?? 0
    if (time < DATED_FROM_MS) continue
    if (known === 0 || values[known - 1] !== time) values[known++] = time
    ranks[row] = known - 1
  }
  return toNumberColumn(ranks, values.subarray(0, known))
}

/** Ranks rows by a number of each; NaN for a row that has none. */
export async function rankNumbers(own: Float64Array): Promise<RankColumn> {
  const count = own.length
  await setImmediate()
  const sorted = own.filter((number) => !Number.isNaN(number)).sort()
  const values = sorted.filter((number, at) => at === 0 || number !== sorted[at - 1])
  await setImmediate()
  const ranks = new Int32Array(count).fill(NO_RANK)
  for (let row = 0; row < count; row++) {
    const number = own[row] ?? Number.NaN
    if (!Number.isNaN(number)) ranks[row] = firstNotBelow(values, number)
  }
  return toNumberColumn(ranks, values)
}

function toNumberColumn(ranks: Int32Array, values: Float64Array): RankColumn {
  return {
    ranks,
    count: values.length,
    keyOf: (rank) => values[rank]?.toString() ?? '',
    rankOf(key) {
      if (key === '') return NO_RANK
      const at = firstNotBelow(values, Number(key))
      return values[at] === Number(key) ? at : at - 0.5
    },
    labelOf: () => null,
  }
}

/** Does the same as `bisect`, without a function call for each step. */
function firstNotBelow(values: Float64Array, wanted: number): number {
  let from = 0
  let to = values.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((values[middle] ?? 0) >= wanted) to = middle
    else from = middle + 1
  }
  return from
}

/** Names that are the same up to here are one. */
const KEY_MAX_LENGTH = 200
/** Number of rows and names that are read before the event loop has its turn. */
const ROWS_SLICE_COUNT = 10_000
const NAMES_SLICE_COUNT = 4_000

/** The names of all rows before and after a change, and the order of those that were sorted. */
type Victims = { names: Dictionary; sorted: Int32Array }
const victimsOf = new WeakMap<Dictionaries, Victims>()

/** Ranks rows by their first organisation, as the matcher normalises it. */
export async function rankVictims(rows: IndexRows): Promise<RankColumn> {
  const known = victimsOf.get(rows.dictionaries)
  const victims = known ?? { names: new Dictionary(), sorted: new Int32Array(0) }
  if (!known) victimsOf.set(rows.dictionaries, victims)

  const numbers = new Int32Array(rows.count).fill(NO_RANK)
  for (let row = 0; row < rows.count; row++) {
    const name = firstVictim(rows, row)
    if (name !== '') numbers[row] = victims.names.add(name)
    if (row % ROWS_SLICE_COUNT === ROWS_SLICE_COUNT - 1) await setImmediate()
  }
  const sorted = await sortNames(victims)
  // Other rows may have been ranked meanwhile, with more names.
  if (sorted.length > victims.sorted.length) victims.sorted = sorted

  const rankOf = new Int32Array(sorted.length)
  for (let rank = 0; rank < sorted.length; rank++) rankOf[sorted[rank] ?? 0] = rank
  const ranks = numbers.map((number) => (number === NO_RANK ? NO_RANK : (rankOf[number] ?? NO_RANK)))
  const nameAt = (rank: number) => victims.names.words[sorted[rank] ?? NO_RANK] ?? ''
  return {
    ranks,
    count: sorted.length,
    keyOf: nameAt,
    rankOf: (key) => (key === '' ? NO_RANK : findRank(sorted.length, nameAt, key)),
    // Only the records themselves have it as people write it.
    labelOf: () => null,
  }
}

/** The key of the first of some names that has a word; empty where none has. */
export function victimKey(organizations: readonly string[]): string {
  return cut(organizations.map((name) => normaliseText(name).trim()).find((name) => name !== '') ?? '')
}

function firstVictim(rows: IndexRows, row: number): string {
  const { dictionaries, slots, tokens, tokenStarts, fieldStarts } = rows
  const slot = slots[row] ?? 0
  const first = tokenStarts[slot] ?? 0
  const end = first + (fieldStarts[slot * FIELD_STARTS_LENGTH + 1] ?? 0)
  let name = ''
  for (let at = first + (fieldStarts[slot * FIELD_STARTS_LENGTH] ?? 0); at < end; at++) {
    const token = tokens[at] ?? 0
    if (token === 0) break
    name += name === '' ? dictionaries.tokens.words[token] : ` ${dictionaries.tokens.words[token]}`
  }
  return cut(name)
}

function cut(name: string): string {
  return name.slice(0, KEY_MAX_LENGTH).toWellFormed().trim()
}

/** The numbers of all names in the order of the names: those that came last are sorted, and merged with the others. */
async function sortNames({ names: { words }, sorted }: Victims): Promise<Int32Array> {
  const compare = (a: number, b: number) => compareTexts(words[a] ?? '', words[b] ?? '')
  const count = words.length
  let runs: Int32Array[] = []
  for (let first = sorted.length; first < count; first += NAMES_SLICE_COUNT) {
    const length = Math.min(NAMES_SLICE_COUNT, count - first)
    runs.push(Int32Array.from({ length }, (_, at) => first + at).sort(compare))
    await setImmediate()
  }
  if (runs.length === 0) return sorted
  while (runs.length > 1) {
    const merged: Int32Array[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? sorted, runs[at + 1] ?? new Int32Array(0), compare))
    }
    runs = merged
  }
  return merge(sorted, runs[0] ?? sorted, compare)
}

async function merge(
  a: Int32Array,
  b: Int32Array,
  compare: (a: number, b: number) => number,
): Promise<Int32Array> {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const merged = new Int32Array(a.length + b.length)
  let fromA = 0
  let fromB = 0
  for (let at = 0; at < merged.length; at++) {
    const isA = fromB === b.length || (fromA < a.length && compare(a[fromA] ?? 0, b[fromB] ?? 0) < 0)
    merged[at] = (isA ? a[fromA++] : b[fromB++]) ?? 0
    if (at % ROWS_SLICE_COUNT === ROWS_SLICE_COUNT - 1) await setImmediate()
  }
  return merged
}

/** Ranks rows by the day of publication in a time zone. Rows are in that order, so only each day's end is searched. */
export function rankDays({ at, count }: IndexRows, timeZone: string): RankColumn {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const dayOf = (row: number) => format.format(at[row] ?? 0)
  const end = bisect(count, (row) => (at[row] ?? 0) < DATED_FROM_MS)
  const days: { day: string; first: number }[] = []
  for (let first = 0; first < end; ) {
    const from = first
    const day = dayOf(from)
    days.push({ day, first })
    first = from + bisect(end - from, (further) => dayOf(from + further) !== day)
  }
  const ranks = new Int32Array(count).fill(NO_RANK)
  for (const [place, { first }] of days.entries()) {
    ranks.fill(days.length - 1 - place, first, days[place + 1]?.first ?? end)
  }
  const dayAt = (rank: number) => days[days.length - 1 - rank]?.day ?? ''
  return {
    ranks,
    count: days.length,
    keyOf: dayAt,
    rankOf: (key) => (key === '' ? NO_RANK : findRank(days.length, dayAt, key)),
    labelOf: dayAt,
  }
}
