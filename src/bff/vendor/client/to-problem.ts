import { ProblemError } from '#bff/http/problem-error.ts'
import { DATABASE_AWAY } from '#bff/http/recall-answer.ts'
import type { ProblemCode } from '#contract/bff/problem.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

type Meaning = {
  code: ProblemCode
  /** What a person can do. */
  detail: string
  /** Why older data is shown instead; null where older data must not be shown. */
  staleReason: string | null
}

const MEANINGS: Readonly<Record<UpstreamErrorKind, Meaning>> = {
  key_missing: {
    code: 'key_missing',
    detail: 'Nothing can be read without an API key for this API. Ask an admin to set one.',
    staleReason: null,
  },
  key_invalid: {
    code: 'key_invalid',
    detail: 'The source refused the API key: it is wrong, expired or revoked. Ask an admin to replace it.',
    staleReason: 'The source refuses the API key, so nothing newer can be read.',
  },
  set_forbidden: {
    code: 'plan_not_allowed',
    detail:
      'The plan of the API key does not include this API, or the source does not have it. An admin can ask the vendor for another plan.',
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
    detail: 'The source has no such record: it was removed, or lies outside the data window of the plan.',
    staleReason: null,
  },
  rejected: {
    code: 'filter_not_supported',
    detail: 'The source does not accept this search. Change or drop a filter.',
    staleReason: null,
  },
  rate_limited: {
    code: 'rate_limited',
    detail: 'The calls of this minute are used up. It goes on by itself at the time given.',
    staleReason: 'The source asks to wait before the next call.',
  },
  daily_limit_reached: {
    code: 'daily_limit_reached',
    detail: 'The calls of this day are used up. What was read before stays available until then.',
    staleReason: 'The calls of this day are used up.',
  },
  saving_calls: {
    code: 'rate_limited',
    detail: 'Few calls are left, so pages no longer update by themselves. Refresh by hand to use one.',
    staleReason: 'Few calls are left, so pages no longer update by themselves.',
  },
  share_used: {
    code: 'rate_limited',
    detail: 'You have used your share of the calls that are left; the rest is kept for others.',
    staleReason: 'Your share of the calls that are left is used up for now.',
  },
  uncounted: {
    code: 'upstream_unavailable',
    detail:
      "Lantern's own database is away, and no call is made that cannot be counted. Try again in a moment.",
    staleReason: DATABASE_AWAY,
  },
  unavailable: {
    code: 'upstream_unavailable',
    detail: 'The source cannot be reached or failed. Try again in a moment.',
    staleReason: 'The source cannot be reached or failed.',
  },
  timeout: {
    code: 'upstream_timeout',
    detail: 'The source took too long. Try again in a moment.',
    staleReason: 'The source took too long to answer.',
  },
  unreadable: {
    code: 'upstream_unreadable',
    detail:
      'The source answered with something that cannot be read. Try again, or tell an admin if it stays so.',
    staleReason: 'The source answered with something that cannot be read.',
  },
  unclear: {
    code: 'alert_unclear',
    detail: 'The source broke off before it answered. Look in the list before you try again.',
    staleReason: null,
  },
}

/** The one place where an upstream failure becomes a problem for the reader. Any other error is returned as it is. */
export function toProblem(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { kind, set, retryAtMs } = error
  const { code, detail } = MEANINGS[kind]
  return new ProblemError({
    code,
    detail,
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
  return error instanceof UpstreamError ? MEANINGS[error.kind].staleReason : null
}

/** A sentence in place of a part that could not be read. */
export function describeFailure(error: UpstreamError): string {
  return MEANINGS[error.kind].detail
}
