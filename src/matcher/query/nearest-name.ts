import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES, countryName, findCountryCode, foldCountryName } from '#contract/country.ts'
import type { FieldName, QueryValue } from './query-tree.ts'

/** More changes than this make another word of it. */
const CHANGES_MAX = 2

/** Returns the name that a text most likely means; null if none is near. */
export function nearestName<Name extends string>(text: string, names: readonly Name[]): Name | null {
  const wanted = text.toLowerCase()
  // In a short word, two changed letters leave too little in common.
  const limit = Math.min(CHANGES_MAX, Math.floor((wanted.length - 1) / 2))
  const near = names
    .map((name) => ({
      name,
      changes: name.startsWith(wanted) && wanted.length > 2 ? 0 : countChanges(wanted, name),
    }))
    .filter(({ changes }) => changes <= limit)
    .sort((a, b) => a.changes - b.changes)
  return near[0]?.name ?? null
}

/** Letters to add, drop, replace or swap with the next. */
function countChanges(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}

const LENGTH_DIFFERENCE_MAX = 2

/** Returns false for a name that is not near: it does not begin with the text, and is longer or shorter by more letters. */
export function mayBeNear(name: string, wanted: string): boolean {
  return name.startsWith(wanted) || Math.abs(name.length - wanted.length) <= LENGTH_DIFFERENCE_MAX
}

const COUNTRY_NAMES = COUNTRY_CODES.map((code) => countryName(code) ?? code)
const KNOWN: Partial<Record<FieldName, readonly string[]>> = {
  country: COUNTRY_NAMES,
  category: KNOWN_CATEGORIES,
}

/**
 * The known value that one of a field is most likely meant to be; null where it is known itself, or none is near. Sources
 * have values that nobody knows, so none of them is a fault.
 */
export function nearestValue(name: FieldName, { text, isQuoted, isPrefix }: QueryValue): string | null {
  const known = KNOWN[name]
  if (!known || isQuoted || isPrefix || findCountryCode(text) !== null) return null
  const wanted = foldCountryName(text)
  const byFolded = new Map(known.map((value) => [foldCountryName(value), value]))
  const names = [...byFolded.keys()]
  // Words of a value find it.
  if (names.some((each) => ` ${each} `.includes(` ${wanted} `))) return null
  const near = names.filter((each) => mayBeNear(each, wanted))
  const nearest = nearestName(wanted, near)
  return nearest === null ? null : (byFolded.get(nearest) ?? null)
}
