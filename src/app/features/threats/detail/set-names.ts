import type { RouteSet } from '#contract/route-set.ts'

/** What a reader knows the vendor's route sets as. */
export const SET_NAMES: Readonly<Record<RouteSet, string>> = {
  v1: 'API v1',
  earlier: 'the earlier API',
}
