import * as z from 'zod/mini'
import type { SingleSignOn } from '#bff/accounts/oidc/oidc-routes.ts'
import { leaveProvider } from '#bff/accounts/oidc/single-sign-on.ts'
import { endedHintCookie, endedSessionCookie } from '#bff/http/cookies.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { factorProofSchema } from '#contract/bff/factor.ts'
import {
  credentialsSchema,
  type SessionAnswer,
  type SignInOptions,
  signInLinkSchema,
} from '#contract/bff/session.ts'
import type { SignedOut } from '#contract/bff/sign-out.ts'
import { passwordByLinkSchema } from '#contract/bff/user.ts'
import { isLoopbackAddress } from '#contract/loopback.ts'
import { finishStep, requestStepPasskey } from './second-step.ts'
import {
  type SignInContext,
  signInByLink,
  signInByPassword,
  signInByPasswordLink,
  signOut,
} from './sign-in.ts'
import { visitorOf, welcomeOrStep } from './welcome.ts'

type SignInRouteDependencies = {
  hasPasswordSignIn: boolean
  singleSignOn: SingleSignOn | undefined
  isHttps: boolean
  /** PUBLIC_URL means this machine: only then are one-time links accepted. */
  isLoopback: boolean
}

export function signInRoutes(
  context: SignInContext,
  { singleSignOn, hasPasswordSignIn, isHttps, isLoopback }: SignInRouteDependencies,
): BffRoute[] {
  const { sessions } = context
  return [
    defineRoute('GET /bff/sign-in/options', {
      access: 'public',
      // Not a 401: browsers print those as errors, and a sign-in page without a session is none.
      async answer({ request }) {
        const { sessionToken } = visitorOf(request, isHttps)
        const session = sessionToken && (await sessions.find(sessionToken, { isBackground: true }))
        const hasSession = session ? !session.mustEnrol : false
        const hasSingleSignOn = singleSignOn !== undefined
        return { json: { hasSession, hasSingleSignOn, hasPasswordSignIn } satisfies SignInOptions }
      },
    }),
    defineRoute('POST /bff/sign-in', {
      access: 'public',
      body: credentialsSchema,
      async answer({ body, request }) {
        const visitor = visitorOf(request, isHttps)
        return welcomeOrStep(await signInByPassword(context, body, visitor), isHttps)
      },
    }),
    defineRoute('POST /bff/sign-in/link', {
      access: 'public',
      body: signInLinkSchema,
      async answer({ body, request }) {
        const isHere = isLoopback && isLoopbackAddress(request.address)
        const visitor = visitorOf(request, isHttps)
        return welcomeOrStep(await signInByLink(context, body.token, visitor, isHere), isHttps)
      },
    }),
    defineRoute('POST /bff/sign-in/password-link', {
      access: 'public',
      body: passwordByLinkSchema,
      async answer({ body, request }) {
        const visitor = visitorOf(request, isHttps)
        return welcomeOrStep(await signInByPasswordLink(context, body, visitor), isHttps)
      },
    }),
    defineRoute('POST /bff/sign-in/second-step', {
      access: 'public',
      body: factorProofSchema,
      async answer({ body, request }) {
        const visitor = visitorOf(request, isHttps)
        return welcomeOrStep(await finishStep(context, body, visitor), isHttps)
      },
    }),
    defineRoute('POST /bff/sign-in/second-step/passkey', {
      access: 'public',
      async answer({ request }) {
        const visitor = visitorOf(request, isHttps)
        return { json: await requestStepPasskey(context, visitor) }
      },
    }),
    defineRoute('POST /bff/sign-out', {
      access: 'viewer',
      isForEnrolment: true,
      body: z._default(z.strictObject({ everywhere: z._default(z.boolean(), false) }), { everywhere: false }),
      async answer({ body, session, request }) {
        const leaveAt = singleSignOn ? await leaveProvider(singleSignOn, session) : null
        await signOut(context, session, body.everywhere, visitorOf(request, isHttps))
        return {
          ...(leaveAt === null ? { status: 204 } : { json: { leaveAt } satisfies SignedOut }),
          cookies: [endedSessionCookie(isHttps), endedHintCookie(isHttps)],
          // Not "cookies": the device cookie tells the owner from a stranger at the next sign-in. Not "storage": drafts
          // wait there, under the account that wrote them; the app forgets the rest itself.
          headers: { 'clear-site-data': '"cache"' },
        }
      },
    }),
    defineRoute('GET /bff/session', {
      access: 'public',
      // Not a 401 here either: a link that is opened by someone signed out is none.
      async answer({ request }) {
        const { sessionToken } = visitorOf(request, isHttps)
        const session = sessionToken && (await sessions.find(sessionToken, request))
        // A person who has to set up a second factor is redirected to the sign-in page.
        const answer =
          session && !session.mustEnrol ? { user: session.user, expiresAt: session.expiresAt } : null
        return { json: answer satisfies SessionAnswer }
      },
    }),
  ]
}
