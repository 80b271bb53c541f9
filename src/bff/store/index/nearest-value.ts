import type { FacetName } from '#contract/bff/threat-list.ts'
import { countryName, findCountryCode, foldCountryName } from '#contract/country.ts'
import { nearestLevel } from '#matcher/query/check-field.ts'
import { nearestName } from '#matcher/query/nearest-name.ts'
import { foldValue } from '#matcher/query/query-tests.ts'
import type { IndexRows } from './index-rows.ts'
import { valuesInUse } from './select-rows.ts'

/** Names that differ by more letters are not compared: none of them is near. */
const LENGTH_DIFFERENCE_MAX = 2

/**
 * The value of a name that a text is most likely meant to be, by its letters or as its beginning, the most frequent first;
 * of a value of several words any of them. Null where none is near, or the text is known.
 */
export function findNearestValue(rows: IndexRows, name: FacetName, text: string): string | null {
  if (name === 'country' && findCountryCode(text) !== null) return null
  const wanted = name === 'country' ? foldCountryName(text) : foldValue(text)
  const wordCount = wanted.split(' ').length
  const byText = new Map<string, string>()
  for (const value of valuesInUse(rows, name)) {
    const folded = name === 'country' ? foldCountryName(countryName(value) ?? value) : foldValue(value)
    for (const part of [folded, ...partsOf(folded, wordCount)]) {
      const isComparable =
        part.startsWith(wanted) || Math.abs(part.length - wanted.length) <= LENGTH_DIFFERENCE_MAX
      if (isComparable && part !== wanted && !byText.has(part)) byText.set(part, value)
    }
  }
  const nearest = nearestName(wanted, [...byText.keys()]) ?? (name === 'severity' ? nearestLevel(text) : null)
  return nearest === null ? null : (byText.get(nearest) ?? nearest)
}

/** Words of a value that stand next to each other. */
function partsOf(folded: string, wordCount: number): string[] {
  const words = folded.split(' ')
  if (words.length <= wordCount) return []
  return words
    .slice(0, words.length - wordCount + 1)
    .map((_, at) => words.slice(at, at + wordCount).join(' '))
}
