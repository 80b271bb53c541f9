import { ProblemError } from '#bff/http/problem-error.ts'

/** Reads one request header, whichever kind of request it stands on. */
export type HeaderReader = (name: string) => string | null | undefined

/**
 * Proof of one of our own pages: a header that no cross-origin page can send without a preflight, which is never
 * granted, and what the browser itself says. GET needs it too, because answers can spend calls. Null when all is well.
 */
export function findForgery(header: HeaderReader, origins: ReadonlySet<string>): ProblemError | null {
  if (header('x-lantern') !== '1') return refusal('Send the header x-lantern: 1.')
  const site = header('sec-fetch-site')
  if (site && site !== 'same-origin') return refusal('Only pages of this server may ask.')
  const origin = header('origin')
  if (origin && !origins.has(origin)) return refusal('Only pages of this server may ask.')
  return null
}

/**
 * Checks a form that one of our pages posts, which cannot carry our header: at least one of two headers of the browser
 * must name the origin. The page itself compares a token. Returns null if all is well.
 */
export function findForgedForm(header: HeaderReader, origins: ReadonlySet<string>): ProblemError | null {
  const [site, origin] = [header('sec-fetch-site'), header('origin')]
  const isOurs = (site || origin) && (!site || site === 'same-origin') && (!origin || origins.has(origin))
  return isOurs ? null : refusal('Only pages of this server may send forms. Open its sign-in page.')
}

function refusal(detail: string): ProblemError {
  return new ProblemError({ code: 'bad_request', status: 403, title: 'The request was refused', detail })
}
