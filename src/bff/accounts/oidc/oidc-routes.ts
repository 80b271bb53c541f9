import * as z from 'zod/mini'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange, type RecordChange } from '#bff/accounts/make-change.ts'
import { type Account, lockAccount } from '#bff/accounts/sign-in/account-queries.ts'
import { addressPlace, type Visitor } from '#bff/accounts/sign-in/admission.ts'
import { forgiveAttempt, reserveAttempt, ssoAddressBucket } from '#bff/accounts/sign-in/attempt-limit.ts'
import { SESSIONS_ENDED_CHANNEL } from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { type SignInContext, signInBySingleSignOn } from '#bff/accounts/sign-in/sign-in.ts'
import { visitorOf, welcome } from '#bff/accounts/sign-in/welcome.ts'
import type { Log } from '#bff/http/log.ts'
import { conflict, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { type SsoFinish, ssoFinishSchema, ssoStartSchema } from '#contract/bff/single-sign-on.ts'
import type { Database } from '#database/database.ts'
import { execute, readRow } from '#database/read-rows.ts'
import { findLinked, findOidcAccount, link } from './oidc-account.ts'
import {
  beginFlow,
  endedFlowCookie,
  flowCookie,
  flowCookieName,
  type OidcFlow,
  readFlow,
} from './oidc-flow.ts'
import { failed, notBegunHere, problemOf } from './oidc-problems.ts'
import type { OidcArrival, OidcPerson, OidcProvider } from './oidc-provider.ts'
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

/** Links a signed-in account to the person whom the provider names, who can then sign in by the provider too. */
function linkAccount(
  database: Database,
  context: ChangeContext,
  { person, configuredIssuer }: { person: OidcPerson; configuredIssuer: string },
): Promise<void> {
  return changeWays(database, context, async (tx, record, { issuer }) => {
    const { id, email } = context.session.user
    const other = await findLinked(tx, person, configuredIssuer)
    if (other && other.id !== id)
      throw notLinked(
        'At your identity provider you are signed in as somebody who has another account here. Sign out there, then link again.',
      )
    if (other) return
    if (issuer !== null) throw notLinked('This account is linked to another identity. Unlink it first.')
    await link(tx, id, person)
    const after = { issuer: person.iss, subject: person.sub, ...(person.email && { email: person.email }) }
    await record({ action: 'sso-linked', object: id, objectName: email, after })
  })
}

/** Sessions that the provider opened end with the link, but for the one that asks. */
function unlinkAccount(
  database: Database,
  context: ChangeContext,
  hasPasswordSignIn: boolean,
): Promise<void> {
  return changeWays(database, context, async (tx, record, { issuer, subject, hasPassword }) => {
    const { id, email } = context.session.user
    if (issuer === null) return
    if (!hasPassword || !hasPasswordSignIn)
      throw conflict('Single sign-on is the only way into this account.', 'Not unlinked')
    await tx.query('update account set oidc_issuer = null, oidc_subject = null where id = $1', [id])
    await execute(tx, [id, context.session.id])`
      with ended as (
        delete from session where account_id = $1 and oidc_subject is not null and id <> $2 returning account_id)
      select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`
    const before = { issuer, subject }
    await record({ action: 'sso-unlinked', object: id, objectName: email, before })
  })
}

const waysSchema = z.object({
  issuer: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  hasPassword: z.boolean(),
})

function changeWays(
  database: Database,
  context: ChangeContext,
  change: (tx: Database, record: RecordChange, ways: z.infer<typeof waysSchema>) => Promise<void>,
): Promise<void> {
  const { id } = context.session.user
  return makeChange(
    database,
    context,
    'viewer',
    async (tx, record) => {
      const row = await readRow(tx, waysSchema, [id])`
        select oidc_issuer as issuer, oidc_subject as subject, password_hash is not null as "hasPassword"
          from account where id = $1`
      return change(tx, record, row)
    },
    (tx) => lockAccount(tx, id),
  )
}

function notLinked(detail: string): ProblemError {
  return conflict(detail, 'Not linked')
}
