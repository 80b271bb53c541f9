import type { ClosedSets } from '#bff/upstream/client/upstream.ts'
import type { UpstreamError, UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import type { MissingParts } from '#contract/bff/threat-list.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'

const SET_NAMES: Readonly<Record<RouteSet, string>> = { v1: 'API v1', earlier: 'the earlier API' }

/** Each text follows 'because'. */
const REASONS: Readonly<Record<UpstreamErrorKind, string>> = {
  key_missing: 'there is no API key for this API',
  key_refused: 'the vendor refuses the API key',
  set_absent: 'this vendor does not have this API',
  route_absent: 'this vendor offers no details of threats here',
  set_forbidden: 'your plan does not include this API',
  route_forbidden: 'your plan does not include the details of threats',
  forbidden: 'your plan does not include the details of this threat',
  not_found: 'the vendor does not have this record any more',
  id_refused: 'the vendor does not accept its id',
  unlisted: 'no list of the vendor has named it',
  unsendable: 'no address can carry its id, so the vendor cannot be asked',
  rejected: 'the vendor does not accept the request',
  rate_limited: 'no call may be made at this moment',
  daily_limit_reached: 'the calls of this day are used up',
  saving_calls: 'few calls are left, and they are kept for others',
  share_used: 'your share of the calls that are left is used up',
  uncounted:
    "Lantern's own database does not answer or takes no writes, and no call is made that cannot be counted",
  unavailable: 'the vendor cannot be reached or failed',
  timeout: 'the vendor took too long to answer',
  unreadable: 'the vendor answered with something that cannot be read',
  web_page: "a web page came in the place of the vendor's answer",
  unclear: 'the vendor broke off before it answered',
}

const CLOSURES: Readonly<Record<NonNullable<ClosedSets[RouteSet]>, (name: string) => string>> = {
  plan: (name) => `your plan does not include ${name}`,
  absent: (name) => `this vendor does not have ${name}`,
  key_missing: (name) => `there is no API key for ${name}`,
  key_refused: (name) => `the vendor refuses the API key of ${name}`,
}

/** Describes why parts of a record are missing after a failure. */
export function describeMissing({ kind, set }: UpstreamError): MissingParts {
  const because =
    set !== null && (kind === 'set_forbidden' || kind === 'set_absent' || kind === 'key_missing')
      ? REASONS[kind].replace('this API', SET_NAMES[set])
      : REASONS[kind]
  return { state: 'unavailable', because }
}

/** Describes why parts of a record are missing though one API has answered: the other could not be called. */
export function describeClosed(closed: ClosedSets): MissingParts | undefined {
  const set = ROUTE_SETS.find((each) => closed[each] !== undefined)
  const closure = set && closed[set]
  if (!set || !closure) return undefined
  const answered = SET_NAMES[set === 'v1' ? 'earlier' : 'v1']
  return { state: 'unavailable', because: `${answered} gave none, and ${CLOSURES[closure](SET_NAMES[set])}` }
}
