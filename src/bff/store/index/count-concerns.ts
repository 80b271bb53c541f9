import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { findTerms } from './find-by-query.ts'
import type { IndexRows } from './index-rows.ts'
import { wantedTerms } from './threat-terms.ts'

type ConcernsRequest = {
  name: FacetName
  /** Epoch milliseconds: from `start` on, before `end`. */
  start: number
  end: number
}

/**
 * Counts the rows of a time in one of some industries of one of some countries, by the terms of their values of `name`.
 * Null unless both are named: an industry of the whole world, or a whole country, is no reason by itself.
 */
export function countConcerns(
  rows: IndexRows,
  interests: Pick<ThreatFilter, 'country' | 'industry'>,
  { name, start, end }: ConcernsRequest,
): ReadonlyMap<string, number> | null {
  const wanted = wantedTerms({ country: interests.country, industry: interests.industry })
  const [countries, industries] = [wanted.get('country'), wanted.get('industry')]
  if (!countries || !industries) return null
  const both = findTerms(rows, countries).intersect(findTerms(rows, industries))
  const { at, slots, terms, termStarts, dictionaries } = rows
  const bit = 1 << FACET_NAMES.indexOf(name)
  const counts = new Map<string, number>()
  for (let row = both.next(0); row >= 0 && row < rows.count; row = both.next(row + 1)) {
    const time = at[row] ?? 0
    if (time < start || time >= end) continue
    const slot = slots[row] ?? 0
    for (let place = termStarts[slot] ?? 0; place < (termStarts[slot + 1] ?? 0); place++) {
      const term = terms[place] ?? 0
      if (dictionaries.termBits[term] !== bit) continue
      const word = dictionaries.terms.words[term] ?? ''
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}
