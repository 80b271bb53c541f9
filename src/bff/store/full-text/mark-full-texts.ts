import type { RowQuery } from '#bff/store/index/filter-rows.ts'
import { findByQuery, findTerms } from '#bff/store/index/find-by-query.ts'
import { createDictionaries, type IndexRows, toRows } from '#bff/store/index/index-rows.ts'
import { countFieldTexts, FULL_TEXT_TERM, searchedText, termsOf } from '#bff/store/index/threat-terms.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ListedThreat } from '#contract/bff/threat-list.ts'

/** Marks the threats of a page that match a search by their full text only. */
export function markFullTexts(
  threats: readonly Threat[],
  {
    rows,
    matched,
    query,
  }: { rows: IndexRows; matched: Iterable<number>; query: RowQuery | null | undefined },
): ListedThreat[] {
  const times = query ? timesOfFullTexts(rows, matched, threats) : new Map<string, number>()
  if (!query || times.size === 0) return [...threats]
  const facts = threats.flatMap((threat) => {
    const at = times.get(threat.id)
    if (at === undefined) return []
    const terms = termsOf(threat).map(({ term }) => term)
    return {
      id: threat.id,
      at,
      terms,
      searchedText: searchedText(threat),
      fieldTexts: countFieldTexts(threat),
    }
  })
  const withoutFullTexts = toRows(createDictionaries(), facts)
  const found = findByQuery(withoutFullTexts, query.tree, query.context)
  const missed = new Set(withoutFullTexts.ids.filter((_, row) => !found.has(row)))
  return threats.map((threat) => (missed.has(threat.id) ? { ...threat, foundIn: 'fullText' } : threat))
}

/** Returns the sort time of each record whose full text is known. */
function timesOfFullTexts(
  rows: IndexRows,
  matched: Iterable<number>,
  threats: readonly Threat[],
): Map<string, number> {
  const times = new Map<string, number>()
  if (rows.dictionaries.terms.get(FULL_TEXT_TERM) === undefined) return times
  const wanted = new Set(threats.map(({ id }) => id))
  const known = findTerms(rows, [FULL_TEXT_TERM])
  // Newest first, as most lists are: of a first page no other rows are looked at.
  for (const row of matched) {
    const id = rows.ids[row] ?? ''
    if (!wanted.delete(id)) continue
    if (known.has(row)) times.set(id, rows.at[row] ?? 0)
    if (wanted.size === 0) break
  }
  return times
}
