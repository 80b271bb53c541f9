import type { Source } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'

/** The route sets that nobody has refused so far. */
export function permittedSets(source: Source): RouteSet[] {
  return ROUTE_SETS.filter((set) => source.sets[set].status !== 'forbidden')
}
