import { cookieNames } from '#bff/http/cookies.ts'
import type { PageRequest } from '#bff/http/page-route.ts'
import type { SessionLookup } from '#bff/http/route.ts'
import { readOwnPath } from '#contract/bff/own-path.ts'
import { addressOf, ENROL_PATH, HOME, readReturn } from './sign-in-return.ts'

type LeadAwayDependencies = { sessions: SessionLookup; isHttps: boolean }

/**
 * Returns where to redirect a browser that opens a page of the app, so that nobody waits for the app to learn that they
 * are signed out. Null if the session is valid, or only the app can find out.
 */
export async function leadAway(
  { sessions, isHttps }: LeadAwayDependencies,
  request: PageRequest,
): Promise<string | null> {
  const names = cookieNames(isHttps)
  const isEnrolment = request.path === ENROL_PATH
  const back = isEnrolment
    ? readReturn(request.search)
    : { redirect: readOwnPath(request.target) ?? undefined }
  const token = request.cookie(names.session)
  if (token === null) return mayBeSignedIn(request, names.hint) ? null : addressOf(back)

  // The session is undefined while the database does not answer.
  const session = await sessions.find(token, { isBackground: true }).catch(() => undefined)
  if (session === undefined) return null
  if (session === null || session.mustEnrol !== isEnrolment) {
    return session && isEnrolment ? (back.redirect ?? HOME) : addressOf(back)
  }
  return null
}

/** Another site led here, so the browser withholds the session cookie. Another cookie shows that there was a session. */
export function mayBeSignedIn({ isFromElsewhere, cookie }: PageRequest, hint: string): boolean {
  return isFromElsewhere && cookie(hint) !== null
}
