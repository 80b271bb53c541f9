import * as z from 'zod/mini'
import { ProblemError } from '#bff/problem-error.ts'
import { type Answer, type BffRoute, defineRoute, type ReaderSession, type RouteRequest } from '#bff/route.ts'
import { isLoopbackAddress } from '#bff/security/public-address.ts'
import { credentialsSchema, type Session, signInLinkSchema } from '#contract/bff/session.ts'
import type { Cookies } from './cookies.ts'
import type { Admission, SignIn, Visitor } from './sign-in.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

type SignInRouteDependencies = {
  signIn: SignIn
  cookies: Cookies
  /** Whether PUBLIC_URL means this machine: only then are one-time links taken. */
  isLoopback: boolean
}

export function signInRoutes({ signIn, cookies, isLoopback }: SignInRouteDependencies): BffRoute[] {
  const visitorOf = (request: RouteRequest, route: string): Visitor => ({
    route,
    requestId: request.id,
    address: request.address,
    sessionToken: tokenOf(request.cookie(cookies.names.session)),
    deviceToken: tokenOf(request.cookie(cookies.names.device)),
  })
  const welcome = ({ session, sessionToken, deviceToken }: Admission): Answer => ({
    json: toSession(session),
    cookies: [cookies.setSession(sessionToken), cookies.setDevice(deviceToken)],
  })

  return [
    defineRoute({
      method: 'POST',
      path: '/bff/sign-in',
      access: 'public',
      body: credentialsSchema,
      cost: 0,
      cache: 'none',
      async answer({ body, request }) {
        return welcome(await signIn.byPassword(body, visitorOf(request, 'POST /bff/sign-in')))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/sign-in/link',
      access: 'public',
      body: signInLinkSchema,
      cost: 0,
      cache: 'none',
      async answer({ body, request }) {
        if (!isLoopback || !isLoopbackAddress(request.address)) {
          throw new ProblemError({
            code: 'sign_in_failed',
            detail: 'One-time links work only on the machine that Lantern runs on.',
          })
        }
        return welcome(await signIn.byLink(body.token, visitorOf(request, 'POST /bff/sign-in/link')))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/sign-out',
      access: 'viewer',
      body: z._default(z.strictObject({ everywhere: z._default(z.boolean(), false) }), { everywhere: false }),
      cost: 0,
      cache: 'none',
      async answer({ body, session, request }) {
        await signIn.out(session, body.everywhere, visitorOf(request, 'POST /bff/sign-out'))
        return {
          status: 204,
          cookies: [cookies.endSession()],
          // Not "cookies": the device cookie tells the owner from a stranger at the next sign-in.
          headers: { 'clear-site-data': '"cache", "storage"' },
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/session',
      access: 'viewer',
      cost: 0,
      cache: 'none',
      async answer({ session }) {
        return { json: toSession(session) }
      },
    }),
  ]
}

/** What is not shaped like a token of ours is none. */
function tokenOf(cookie: string | null): string | null {
  return cookie && TOKEN.test(cookie) ? cookie : null
}

function toSession({ user, expiresAt }: ReaderSession): Session {
  return { user, expiresAt }
}
