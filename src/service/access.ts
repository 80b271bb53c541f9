import type { RouteSet } from '#contract/route-set.ts'

/** The rights of the request's key in the route set that it calls. */
export type Access = {
  accountId: string
  keyId: string
  set: RouteSet
  /** The database's clock, ISO 8601 UTC. */
  now: string
  /** Start of the plan's data window, ISO 8601 UTC; null is full history. */
  since: string | null
  isRedacted: boolean
  /** The largest page that may be requested. */
  maxLimit: number
}
