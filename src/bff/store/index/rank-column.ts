import { setImmediate } from 'node:timers/promises'
import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { FACET_NAMES, type FacetName } from '#contract/bff/threat-list.ts'
import { countryName, foldCountryName } from '#contract/country.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { bisect } from './bisect.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'

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

/** Ranks rows by a number that some of them have, by id. */
export async function rankNumbers({ ids, count }: IndexRows, numbers: ReadonlyMap<string, number>) {
  const own = new Float64Array(count).fill(Number.NaN)
  for (let row = 0; row < count; row++) own[row] = numbers.get(ids[row] ?? '') ?? Number.NaN
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
