import { DATABASE_AWAY, ProblemError } from '#bff/http/problem-error.ts'
import type { ProblemCode } from '#contract/bff/problem.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

type Meaning = {
  code: ProblemCode
  /** Only where the code's own title says what is not so. */
  title?: string
  /** A person can do this. `{until}` stands for when calls are free again, if that is known. */
  detail: string
  /** Explains why older data is shown instead; null if older data must not be shown. */
  staleReason: string | null
}

const MEANINGS: Readonly<Record<UpstreamErrorKind, Meaning>> = {
  key_missing: {
    code: 'key_missing',
    detail: 'Nothing can be read without an API key for this API. Ask an admin to set one.',
    staleReason: null,
  },
  key_refused: {
    code: 'key_invalid',
    detail: 'The vendor refused the API key: it is wrong, expired or revoked. Ask an admin to replace it.',
    staleReason: 'The vendor refuses the API key, so nothing newer can be read.',
  },
  set_absent: {
    code: 'not_offered',
    detail: 'This vendor offers no {what}: it does not have {set}. Lantern tries again every few hours.',
    staleReason: null,
  },
  route_absent: {
    code: 'not_offered',
    detail: 'This vendor offers no {what}. Lantern tries again every few hours.',
    staleReason: null,
  },
  set_forbidden: {
    code: 'plan_not_allowed',
    detail:
      'The plan of the API key does not include this API. An admin can ask the vendor for another plan.',
    staleReason: null,
  },
  route_forbidden: {
    code: 'plan_not_allowed',
    detail: 'The plan of the API key does not include this. An admin can ask the vendor for another plan.',
    staleReason: null,
  },
  forbidden: {
    code: 'plan_not_allowed',
    detail:
      'This lies outside what the plan of the API key may read. A narrower or newer time range may work.',
    staleReason: null,
  },
  not_found: {
    code: 'not_found',
    detail: 'The vendor has no such record: it was removed, or lies outside the data window of the plan.',
    staleReason: null,
  },
  id_refused: {
    code: 'not_found',
    detail: 'The vendor does not accept this as the id of a threat.',
    staleReason: null,
  },
  unlisted: {
    code: 'not_found',
    detail: 'No list of the vendor has named a threat with this id.',
    staleReason: null,
  },
  unsendable: {
    code: 'not_found',
    detail: 'No address can carry the id of this threat, so the vendor cannot be asked for it.',
    staleReason: null,
  },
  rejected: {
    code: 'filter_not_supported',
    detail: 'The vendor does not accept this search. Change or drop a filter.',
    staleReason: null,
  },
  rate_limited: {
    code: 'rate_limited',
    detail: 'The calls that the vendor permits a minute are used up. Lantern continues at the stated time.',
    staleReason: 'The calls that the vendor permits a minute are used up.',
  },
  daily_limit_reached: {
    code: 'daily_limit_reached',
    detail:
      'The calls that the vendor permits a day are used up. What was read before stays available until then.',
    staleReason: 'The calls that the vendor permits a day are used up.',
  },
  saving_calls: {
    code: 'rate_limited',
    title: 'Lantern saves the calls that are left',
    detail:
      'Few calls are left: Lantern keeps them for what people ask for{until}. Refresh by hand to use one.',
    staleReason: 'Few calls are left: Lantern keeps them for what people ask for{until}.',
  },
  share_used: {
    code: 'rate_limited',
    title: 'Lantern saves the calls that are left',
    detail: 'You have used your share of the calls that are left: the rest is kept for others{until}.',
    staleReason: 'Your share of the calls that are left is used up: the rest is kept for others{until}.',
  },
  uncounted: {
    code: 'database_unavailable',
    detail:
      "Lantern's own database does not answer or takes no writes, and no call is made that cannot be counted. Try again in a moment.",
    staleReason: DATABASE_AWAY,
  },
  unavailable: {
    code: 'upstream_unavailable',
    detail: 'The vendor cannot be reached or failed. Try again in a moment.',
    staleReason: 'The vendor cannot be reached or failed.',
  },
  timeout: {
    code: 'upstream_timeout',
    detail: 'The vendor took too long. Try again in a moment.',
    staleReason: 'The vendor took too long to answer.',
  },
  unreadable: {
    code: 'upstream_unreadable',
    detail:
      'The vendor answered with something that cannot be read. Try again, or tell an admin if it stays so.',
    staleReason: 'The vendor answered with something that cannot be read.',
  },
  web_page: {
    code: 'upstream_unreadable',
    title: 'A web page came instead of data',
    detail:
      "A web page came in the place of the vendor's answer: a proxy, a firewall or the sign-in page of a network stands between, or the address set for the vendor is not its API's. Tell an admin.",
    staleReason: "A web page came in the place of the vendor's answer: something stands between.",
  },
  unclear: {
    code: 'alert_unclear',
    detail: 'The vendor broke off before it answered. Look in the list before you try again.',
    staleReason: null,
  },
}

/** A vendor without the route does not offer this. */
const OFFERS: Readonly<Record<string, string>> = {
  listThreats: 'list of threats',
  readThreat: 'details of threats',
  listFeed: 'earlier feed',
  readFeedThreat: 'details of threats',
  listActors: 'list of actors',
  readCountry: 'statistics of countries',
  readMetrics: 'metrics',
  listAlerts: 'alert profiles',
  createAlert: 'way to create alert profiles',
}

/** The one place where an upstream failure becomes a problem for the reader. Any other error is returned as it is. */
export function toProblem(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { kind, set, retryAtMs } = error
  const { code, title } = MEANINGS[kind]
  return new ProblemError({
    code,
    ...(title && { title }),
    detail: describeFailure(error),
    ...(set && { set }),
    ...(retryAtMs !== null && { retryAt: new Date(retryAtMs).toISOString() }),
    cause: error,
  })
}

/** Runs what answers a route, and turns its upstream failures into problems. */
export async function orProblem<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toProblem(error)
  }
}

/** A sentence for the reader of older data; null where the failure must be shown instead. */
export function staleReasonOf(error: unknown): string | null {
  if (!(error instanceof UpstreamError)) return null
  const reason = MEANINGS[error.kind].staleReason
  return reason && withEnd(reason, error.retryAtMs)
}

export function codeOf({ kind }: UpstreamError): ProblemCode {
  return MEANINGS[kind].code
}

/** A sentence in place of a part that could not be read. */
export function describeFailure(error: UpstreamError): string {
  const { kind, set, route, retryAtMs } = error
  const detail = MEANINGS[kind].detail
    .replace('{what}', OFFERS[route ?? ''] ?? 'such thing')
    .replace('{set}', set === 'v1' ? 'API v1' : 'the earlier API')
  return withEnd(detail, retryAtMs)
}

/** The time is in UTC and labelled so, because the reader's time zone is unknown. */
function withEnd(text: string, atMs: number | null): string {
  const until = atMs === null ? '' : ` until ${new Date(atMs).toISOString().slice(11, 16)} UTC`
  return text.replace('{until}', until)
}
