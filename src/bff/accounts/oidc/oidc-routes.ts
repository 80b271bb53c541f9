import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Account } from '#bff/accounts/sign-in/account-queries.ts'
import { addressPlace, type Visitor } from '#bff/accounts/sign-in/admission.ts'
import { forgiveAttempt, reserveAttempt, ssoAddressBucket } from '#bff/accounts/sign-in/attempt-limit.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { type SignInContext, signInBySingleSignOn } from '#bff/accounts/sign-in/sign-in.ts'
import { visitorOf, welcome } from '#bff/accounts/sign-in/welcome.ts'
import type { Log } from '#bff/http/log.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { type SsoFinish, ssoFinishSchema, ssoStartSchema } from '#contract/bff/single-sign-on.ts'
import type { Database } from '#database/database.ts'
import { findOidcAccount } from './oidc-account.ts'
import {
  beginFlow,
  endedFlowCookie,
  flowCookie,
  flowCookieName,
  type OidcFlow,
  readFlow,
} from './oidc-flow.ts'
import { linkAccount, unlinkAccount } from './oidc-link.ts'
import { failed, notBegunHere, problemOf } from './oidc-problems.ts'
import type { OidcArrival, OidcProvider } from './oidc-provider.ts'
import { type OidcRules, readGrantedRole, refuseForeignDomain, withoutRole } from './oidc-rules.ts'
import { markSession } from './oidc-sessions.ts'

/** Single sign-on, as it is set up. */
export type SingleSignOn = {
  database: Database
  provider: OidcProvider
  rules: OidcRules
  /** Seals ID tokens, and signs what a browser keeps while it is at the provider. */
  secret: string
  /** The one that it replaces, by which a browser's flow may still be signed. */
  secretBefore?: string | undefined
  /** The page that the provider leads back to. */
  redirectUri: string
  hasPasswordSignIn: boolean
  sessions: SessionStore
  signIn: SignInContext
  isHttps: boolean
  log: Log
}

/** The user links their account on this page. */
const OWN_PAGE = '/settings?tab=profile'

/** The authorization code flow with PKCE. Our own page requests both ends, behind the same guards as everything else. */
export function oidcRoutes(deps: SingleSignOn): BffRoute[] {
  const { database, provider, rules, secret, secretBefore = secret, sessions, signIn, isHttps, log } = deps
  const { issuer: configuredIssuer } = provider

  async function begin(flow: OidcFlow) {
    const url = await provider.authorizationUrl(flow).catch((error: unknown) => {
      log.error('single-sign-on-unavailable', error)
      throw problemOf(error, deps.hasPasswordSignIn)
    })
    return { json: { url: url.href }, cookies: [flowCookie(isHttps, secret, flow)] }
  }

  async function redeem(answer: SsoFinish, flow: OidcFlow): Promise<OidcArrival> {
    const url = new URL(deps.redirectUri)
    for (const [name, value] of Object.entries(answer))
      if (value !== undefined) url.searchParams.set(name, value)
    try {
      return await provider.redeem(url, flow)
    } catch (error) {
      log.error('single-sign-on-failed', error)
      throw problemOf(error, deps.hasPasswordSignIn)
    }
  }

  /** Somebody who began one flow can invent any number of answers to it. */
  async function redeemWithinLimit(
    answer: SsoFinish,
    flow: OidcFlow,
    visitor: Visitor,
  ): Promise<OidcArrival> {
    const buckets = [ssoAddressBucket(addressPlace(visitor))]
    await reserveAttempt(database, buckets)
    const arrival = await redeem(answer, flow)
    await forgiveAttempt(database, buckets)
    return arrival
  }

  /** Only what becomes of a person whom the provider knows is recorded: anybody can bring made-up answers. */
  async function admitPerson(arrival: OidcArrival, visitor: Visitor): Promise<Account> {
    try {
      refuseForeignDomain(arrival, rules)
      const granted = readGrantedRole(arrival, rules)
      const { hasPasswordSignIn } = deps
      const arriving = { configuredIssuer, rules, arrival, granted, hasPasswordSignIn, visitor }
      const outcome = await findOidcAccount(database, arriving)
      if (granted !== 'kept') sessions.forgetAll()
      if ('refusal' in outcome) throw outcome.refusal
      return outcome.account
    } catch (error) {
      const { address, requestId, route } = visitor
      const facts = { actor: null, object: null, address, requestId, route }
      const reason = error instanceof ProblemError ? error.problem.detail : undefined
      const after = { by: 'single sign-on', ...(reason && { reason }) }
      const objectName = arrival.person.email
      await recordAudit(database, { ...facts, action: 'sign-in-failed', objectName, after })
      throw error
    }
  }

  async function readLinkingSession(visitor: Visitor, flow: OidcFlow): Promise<ReaderSession> {
    const token = visitor.sessionToken
    const session = token && (await sessions.findNow(token, { isBackground: false }))
    if (session && session.id === flow.linkedSession) return session
    throw failed(
      'Linking was begun in a session that has ended. Sign in, and begin again in Settings, Profile.',
    )
  }

  return [
    defineRoute('POST /bff/sign-in/sso', {
      access: 'public',
      body: ssoStartSchema,
      async answer({ body, request }) {
        const { sessionToken } = visitorOf(request, isHttps)
        const session = sessionToken && (await sessions.find(sessionToken, request))
        return begin(beginFlow(body.redirect ?? null, { isAnew: Boolean(session) }))
      },
    }),
    defineRoute('POST /bff/sign-in/sso/finish', {
      access: 'public',
      body: ssoFinishSchema,
      async answer({ body, request }) {
        const visitor = visitorOf(request, isHttps)
        const flow = readFlow([secret, secretBefore], request.cookie(flowCookieName(isHttps)))
        if (!flow || flow.state !== body.state) throw notBegunHere()
        if (flow.linkedSession !== undefined) {
          const session = await readLinkingSession(visitor, flow)
          const arrival = await redeemWithinLimit(body, flow, visitor)
          refuseForeignDomain(arrival, rules)
          if (readGrantedRole(arrival, rules) === 'none') throw withoutRole(rules)
          await linkAccount(database, { session, request }, { person: arrival.person, configuredIssuer })
          const { user, expiresAt } = session
          return { json: { user, expiresAt, redirect: OWN_PAGE }, cookies: [endedFlowCookie(isHttps)] }
        }
        const arrival = await redeemWithinLimit(body, flow, visitor)
        const account = await admitPerson(arrival, visitor)
        const admission = await signInBySingleSignOn(signIn, account, visitor, (tx, tokenHash) =>
          markSession(tx, tokenHash, { ...arrival, secret }),
        )
        const { json, cookies: set } = welcome(admission, isHttps)
        return { json: { ...json, redirect: flow.redirect }, cookies: [...set, endedFlowCookie(isHttps)] }
      },
    }),
    defineRoute('POST /bff/profile/sso', {
      access: 'viewer',
      needsFreshProof: true,
      answer: ({ session }) => begin(beginFlow(OWN_PAGE, { linkedSession: session.id })),
    }),
    defineRoute('DELETE /bff/profile/sso', {
      access: 'viewer',
      needsFreshProof: true,
      async answer(context) {
        await unlinkAccount(database, context, deps.hasPasswordSignIn)
        sessions.forgetAll()
        return { status: 204 }
      },
    }),
  ]
}
