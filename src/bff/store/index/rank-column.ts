import { setImmediate } from 'node:timers/promises'
import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { countryName, foldCountryName } from '#contract/country.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { bisect } from './bisect.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

/** How rows stand to each other by one value of each: by ranks, which are numbers of no meaning outside of this process. */
export type RankColumn = {
  /** Of each row the rank of its value, from 0 on; `NO_RANK` where it has none. */
  ranks: Int32Array
  /** How many ranks there are. */
  count: number
  /** What stands for a rank wherever it leaves the process. Empty for `NO_RANK`. */
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

/** By the first value of a name. */
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

/** By when records were published: rows are in that order already. */
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

/** By a number that some rows have, by their ids. */
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

/** As `bisect`, without a call for each look. */
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
