import type { RateFacts } from '#bff/vendor/client/rate-facts.ts'

const DAILY_FROM_MS = 3_600_000

/** What became of a call. */
export type Outcome =
  | { kind: 'answered' }
  /** The question was refused, not the key. */
  | { kind: 'refused' }
  | { kind: 'key_refused' }
  | { kind: 'set_forbidden'; words: string | null }
  | RouteForbidden
  /** Not stated: the wait is our own guess. */
  | { kind: 'told_to_wait'; waitMs: number; isStated: boolean }
  | { kind: 'failed' }

/** The plan does not include a route that does not stand for its set. */
export type RouteForbidden = {
  kind: 'route_forbidden'
  route: string
  words: string | null
  /** Where nothing of the set was ever answered, it is the set that the plan does not include. */
  mayBeOfSet: boolean
}

export type SettledCall = {
  callId: number
  outcome: Outcome
  /** Null where no head of an answer came. */
  facts: RateFacts | null
  nowMs: number
  /** Our own calls of the day. */
  usedToday: number
}

/** A wait that is longer than any minute's window is the day's. */
export function waitKind(waitMs: number): 'rate_limited' | 'daily_limit_reached' {
  return waitMs > DAILY_FROM_MS ? 'daily_limit_reached' : 'rate_limited'
}
