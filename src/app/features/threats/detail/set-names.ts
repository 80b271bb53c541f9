import type { RouteSet } from '#contract/route-set.ts'

/** Names of the vendor's route sets, for people. */
export const SET_NAMES: Readonly<Record<RouteSet, string>> = {
  v1: 'API v1',
  earlier: 'the earlier API',
}
