import type { RouteSet } from '#contract/route-set.ts'

export type UpstreamErrorKind =
  | 'key_missing'
  | 'key_refused'
  /** The vendor does not have the route set, or the route. */
  | 'set_absent'
  | 'route_absent'
  /** The plan does not include the route set. */
  | 'set_forbidden'
  /** The plan does not include the route, whatever it says of its set. */
  | 'route_forbidden'
  /** The plan includes the route, but not this request. */
  | 'forbidden'
  | 'not_found'
  /** The vendor takes the id for none: that does not say that a record is gone. */
  | 'id_refused'
  /** Not called: no list has named a record with this id, which is unlike an id. */
  | 'unlisted'
  /** Not called: no path can carry the id. */
  | 'unsendable'
  /** The parameters were refused. */
  | 'rejected'
  | 'rate_limited'
  | 'daily_limit_reached'
  /** Not called: the calls that are left are kept for those who come first. */
  | 'saving_calls'
  /** Not called: one session has spent what it may of what is left. */
  | 'share_used'
  /** Not called: what cannot be counted is not spent. */
  | 'uncounted'
  | 'unavailable'
  | 'timeout'
  | 'unreadable'
  /** Something between answered in the vendor's place: a captive portal, a proxy, a firewall. */
  | 'web_page'
  /** A POST that may have been done, or not. */
  | 'unclear'

type UpstreamErrorInput = {
  kind: UpstreamErrorKind
  /** Null where no one route set is at fault. */
  set: RouteSet | null
  /** The name of the requested route in the route table. */
  route?: string | null
  /** Describes what happened in our words, for the log. Contains no byte of the vendor's and no key. */
  reason: string
  /** Epoch milliseconds of the first moment when a repeat can succeed. */
  retryAtMs?: number | null
  /** The vendor's own words, cleaned: third-party text. */
  words?: string | null
}

/** A call upstream gave no answer. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind
  readonly set: RouteSet | null
  readonly route: string | null
  readonly retryAtMs: number | null
  readonly words: string | null

  constructor({ kind, set, route, reason, retryAtMs, words }: UpstreamErrorInput) {
    super(`${set ?? 'upstream'}: ${kind}: ${reason}`)
    this.name = 'UpstreamError'
    this.kind = kind
    this.set = set
    this.route = route ?? null
    this.retryAtMs = retryAtMs ?? null
    this.words = words ?? null
  }
}

/** Returns the error for an answer that is not waited for any longer. The call goes on. */
export function givenUp(set: RouteSet | null): UpstreamError {
  return new UpstreamError({ set, kind: 'timeout', reason: 'nobody waits any longer' })
}

/** Returns the error for a set that turned out to be absent as a whole. */
export function setAbsent({ set, route }: UpstreamError): UpstreamError {
  return new UpstreamError({ set, route, kind: 'set_absent', reason: 'its list is not there either' })
}
