import { setImmediate } from 'node:timers/promises'
import type { Backtest } from '#contract/bff/alert.ts'
import type { ThreatFacets, ThreatFilter } from '#contract/bff/threat-list.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { leavesOf } from '#matcher/query/query-tree.ts'

type Narrower = Backtest['narrower'][number]

const VALUES_COUNT = 2

type Matched = {
  matches: number
  /** Of the matches, the most frequent first. */
  facets: Pick<ThreatFacets, 'category' | 'country'>
  countOf(filter: ThreatFilter): Promise<number>
}

/** Searches with one condition more, of a kind that the search does not have, and fewer matches than it. */
export async function findNarrower(
  filter: ThreatFilter,
  { matches, facets, countOf }: Matched,
): Promise<Narrower[]> {
  const named = new Set(
    leavesOf(parseQuery(filter.q ?? '').tree).flatMap((leaf) => (leaf.kind === 'field' ? [leaf.name] : [])),
  )
  const frequent = (field: 'category' | 'country') =>
    facets[field].slice(0, VALUES_COUNT).map(({ value }) => ({ field, values: [value] }))
  const candidates: Pick<Narrower, 'field' | 'values'>[] = [
    { field: 'severity', values: ['critical'] },
    { field: 'severity', values: ['critical', 'high'] },
    ...frequent('category'),
    ...frequent('country'),
  ]
  const narrower: Narrower[] = []
  for (const { field, values } of candidates) {
    if (filter[field] !== undefined || named.has(field)) continue
    await setImmediate()
    const narrowed = { ...filter, [field]: values }
    const count = await countOf(narrowed)
    if (count > 0 && count < matches) narrower.push({ field, values, filter: narrowed, matches: count })
  }
  return narrower
}
