import type { Backtest } from '#contract/bff/alert.ts'
import type { ThreatFacets, ThreatFilter } from '#contract/bff/threat-list.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { leavesOf } from '#matcher/query/query-tree.ts'

type Narrower = Backtest['narrower'][number]

const VALUES_COUNT = 2

type Matched = {
  matches: number
  /** The counts that one more condition would leave. A record has one severity. */
  facets: Pick<ThreatFacets, 'category' | 'country' | 'severity'>
}

/** Searches with one condition more, of a kind that the search does not have, and fewer matches than it. */
export function findNarrower(filter: ThreatFilter, { matches, facets }: Matched): Narrower[] {
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
  return candidates.flatMap(({ field, values }) => {
    if (filter[field] !== undefined || named.has(field)) return []
    const count = facets[field]
      .filter(({ value }) => values.includes(value))
      .reduce((sum, own) => sum + own.count, 0)
    const isNarrower = count > 0 && count < matches
    return isNarrower ? [{ field, values, filter: { ...filter, [field]: values }, matches: count }] : []
  })
}
