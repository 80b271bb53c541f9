import type { RouteSet } from '#contract/route-set.ts'

/** How the vendor's route sets are told to a reader. */
export const SET_NAMES: Readonly<Record<RouteSet, string>> = {
  v1: 'API v1',
  earlier: 'the earlier API',
}
