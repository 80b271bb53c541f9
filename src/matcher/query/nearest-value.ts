import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES, countryName, findCountryCode, foldCountryName } from '#contract/country.ts'
import { nearestName } from './nearest-name.ts'
import type { FieldName, QueryValue } from './query-tree.ts'

/** How much longer or shorter a name may be: of names that differ by more, none is near. */
const LENGTH_DIFFERENCE_MAX = 2

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
  const near = names.filter(
    (each) => each.startsWith(wanted) || Math.abs(each.length - wanted.length) <= LENGTH_DIFFERENCE_MAX,
  )
  const nearest = nearestName(wanted, near)
  return nearest === null ? null : (byFolded.get(nearest) ?? null)
}
