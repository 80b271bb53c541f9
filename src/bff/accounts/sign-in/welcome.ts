import type { Cookies } from '#bff/http/cookies.ts'
import type { RouteRequest } from '#bff/http/route.ts'
import type { Session } from '#contract/bff/session.ts'
import type { Admission, Visitor } from './sign-in.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function visitorOf(request: RouteRequest, route: string, { names }: Cookies): Visitor {
  return {
    route,
    requestId: request.id,
    address: request.address,
    sessionToken: tokenOf(request.cookie(names.session)),
    deviceToken: tokenOf(request.cookie(names.device)),
  }
}

/** What a browser is given that has just signed in. */
export function welcome(
  { session: { user, expiresAt }, sessionToken, deviceToken }: Admission,
  cookies: Cookies,
): { json: Session; cookies: string[] } {
  return {
    json: { user, expiresAt },
    cookies: [cookies.setSession(sessionToken), cookies.setDevice(deviceToken)],
  }
}

/** What is not shaped like a token of ours is none. */
function tokenOf(cookie: string | null): string | null {
  return cookie && TOKEN.test(cookie) ? cookie : null
}
