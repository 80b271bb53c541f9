import type { Problem, ProblemCode } from '#contract/bff/problem.ts'

const KINDS: Readonly<Record<ProblemCode, { status: number; title: string }>> = {
  bad_request: { status: 400, title: 'The request cannot be understood' },
  signed_out: { status: 401, title: 'You are signed out' },
  sign_in_failed: { status: 401, title: 'Sign-in failed' },
  sign_in_unavailable: { status: 503, title: 'Single sign-on is not available' },
  too_many_attempts: { status: 429, title: 'Too many attempts' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  fresh_proof_needed: { status: 403, title: 'Confirm that it is you' },
  role_not_allowed: { status: 403, title: 'Your role does not allow this' },
  not_found: { status: 404, title: 'Not found' },
  filter_not_supported: { status: 422, title: 'These filters cannot be used together' },
  key_missing: { status: 503, title: 'No API key is set' },
  key_invalid: { status: 503, title: 'The vendor refuses the API key' },
  plan_not_allowed: { status: 403, title: 'The plan does not include this' },
  not_offered: { status: 404, title: 'This vendor does not offer this' },
  rate_limited: { status: 429, title: 'The limit of calls is reached' },
  daily_limit_reached: { status: 429, title: 'The daily limit is reached' },
  database_unavailable: { status: 503, title: "Lantern's own database does not answer" },
  upstream_unavailable: { status: 502, title: 'The vendor is unavailable' },
  upstream_timeout: { status: 504, title: 'The vendor did not answer in time' },
  upstream_unreadable: { status: 502, title: 'The answer of the vendor is unreadable' },
  picture_unavailable: { status: 422, title: 'The picture is unavailable' },
  alert_refused: { status: 422, title: 'The vendor refused the alert profile' },
  alert_unclear: { status: 502, title: 'It is unclear whether the alert profile was created' },
  window_empty: { status: 503, title: 'Nothing has been read from the vendor yet' },
  conflict: { status: 409, title: 'This was changed in the meantime' },
  internal: { status: 500, title: 'Something went wrong on our side' },
}

/** Readers of an answer in memory see this. */
export const DATABASE_AWAY =
  "Lantern's own database does not answer or takes no writes, so nothing newer is read."

/** People who write see this, and everybody on pages. */
export const DATABASE_UNWRITABLE =
  'Nothing new is kept, and changes are refused: the disk of Lantern’s own database is full, or it is read-only. An admin has to make room on it, or to end that. What is stored can be read.'

export type ProblemInput = {
  code: ProblemCode
  /** The reader can do this about it. */
  detail: string
  /** Only where the code's own status and title are not exact enough. */
  status?: number
  title?: string
  retryAt?: string
  set?: Problem['set']
  fields?: Problem['fields']
  /** Headers that belong to the answer, such as `Allow`. */
  headers?: Readonly<Record<string, string>>
  /** The cause is logged, and never sent. */
  cause?: unknown
}

/** Thrown anywhere below a route; the app answers it as RFC 9457 problem details. */
export class ProblemError extends Error {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>

  constructor({ cause, headers = {}, code, detail, ...rest }: ProblemInput) {
    super(`${code}: ${detail}`, { cause })
    this.name = 'ProblemError'
    this.problem = { type: `urn:lantern:problem:${code}`, ...KINDS[code], code, detail, ...rest }
    this.headers = headers
  }
}

/** The usual refusals; `title` only where the code's own is not exact enough. */
export function notFound(detail: string, title?: string): ProblemError {
  return problemOf('not_found', detail, title)
}

export function conflict(detail: string, title?: string): ProblemError {
  return problemOf('conflict', detail, title)
}

export function badRequest(detail: string, title?: string): ProblemError {
  return problemOf('bad_request', detail, title)
}

export function roleNotAllowed(detail: string, title?: string): ProblemError {
  return problemOf('role_not_allowed', detail, title)
}

export function signInFailed(detail: string, title?: string): ProblemError {
  return problemOf('sign_in_failed', detail, title)
}

export function nothingRead(detail: string): ProblemError {
  return problemOf('window_empty', detail)
}

/** The form shows each reason at its field. */
export function wrongFields(fields: NonNullable<Problem['fields']>): ProblemError {
  return new ProblemError({ code: 'bad_request', detail: 'Correct the fields named here.', fields })
}

function problemOf(code: ProblemCode, detail: string, title?: string): ProblemError {
  return new ProblemError({ code, detail, ...(title && { title }) })
}

/** The one place where a problem becomes bytes. */
export function problemResponse({ problem, headers }: ProblemError, requestId: string): Response {
  return new Response(JSON.stringify({ ...problem, requestId }), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      // RFC 9110 wants a challenge on every 401; no browser knows this one, so none opens its own dialog.
      ...(problem.status === 401 && { 'www-authenticate': 'Lantern' }),
      ...(problem.retryAt && { 'retry-after': String(secondsUntil(problem.retryAt)) }),
      ...headers,
    },
  })
}

/** Returns whole seconds, as `Retry-After` has them; at least one. */
export function secondsUntil(time: string): number {
  return Math.max(1, Math.ceil((Date.parse(time) - Date.now()) / 1000))
}
