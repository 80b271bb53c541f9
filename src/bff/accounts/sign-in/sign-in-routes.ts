import * as z from 'zod/mini'
import type { Cookies } from '#bff/http/cookies.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  credentialsSchema,
  type SessionAnswer,
  type SignInOptions,
  signInLinkSchema,
} from '#contract/bff/session.ts'
import { passwordByLinkSchema } from '#contract/bff/user.ts'
import { isLoopbackAddress } from '#contract/loopback.ts'
import type { SessionStore } from './session-store.ts'
import type { SignIn } from './sign-in.ts'
import { visitorOf, welcome } from './welcome.ts'

type SignInRouteDependencies = {
  signIn: SignIn
  sessions: SessionStore
  hasSingleSignOn: boolean
  cookies: Cookies
  /** Whether PUBLIC_URL means this machine: only then are one-time links taken. */
  isLoopback: boolean
}

export function signInRoutes({
  signIn,
  sessions,
  hasSingleSignOn,
  cookies,
  isLoopback,
}: SignInRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/sign-in/options',
      access: 'public',
      cache: 'none',
      // Not a 401: browsers print those as errors, and a sign-in page without a session is none.
      async answer({ request }) {
        const { sessionToken } = visitorOf(request, 'GET /bff/sign-in/options', cookies)
        const session = sessionToken && (await sessions.find(sessionToken, { isBackground: true }))
        return { json: { hasSession: Boolean(session), hasSingleSignOn } satisfies SignInOptions }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/sign-in',
      access: 'public',
      body: credentialsSchema,
      cache: 'none',
      async answer({ body, request }) {
        const visitor = visitorOf(request, 'POST /bff/sign-in', cookies)
        return welcome(await signIn.byPassword(body, visitor), cookies)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/sign-in/link',
      access: 'public',
      body: signInLinkSchema,
      cache: 'none',
      async answer({ body, request }) {
        if (!isLoopback || !isLoopbackAddress(request.address)) {
          throw new ProblemError({
            code: 'sign_in_failed',
            detail: 'One-time links work only on the machine that Lantern runs on.',
          })
        }
        const visitor = visitorOf(request, 'POST /bff/sign-in/link', cookies)
        return welcome(await signIn.byLink(body.token, visitor), cookies)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/sign-in/password-link',
      access: 'public',
      body: passwordByLinkSchema,
      cache: 'none',
      async answer({ body, request }) {
        const visitor = visitorOf(request, 'POST /bff/sign-in/password-link', cookies)
        return welcome(await signIn.byPasswordLink(body, visitor), cookies)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/sign-out',
      access: 'viewer',
      body: z._default(z.strictObject({ everywhere: z._default(z.boolean(), false) }), { everywhere: false }),
      cache: 'none',
      async answer({ body, session, request }) {
        await signIn.out(session, body.everywhere, visitorOf(request, 'POST /bff/sign-out', cookies))
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
      access: 'public',
      cache: 'none',
      // Not a 401 here either: a link that is opened by someone signed out is none.
      async answer({ request }) {
        const { sessionToken } = visitorOf(request, 'GET /bff/session', cookies)
        const session = sessionToken && (await sessions.find(sessionToken, request))
        const answer = session ? { user: session.user, expiresAt: session.expiresAt } : null
        return { json: answer satisfies SessionAnswer }
      },
    }),
  ]
}
