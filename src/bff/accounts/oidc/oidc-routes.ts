import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Account } from '#bff/accounts/sign-in/account-queries.ts'
import type { SignIn, Visitor } from '#bff/accounts/sign-in/sign-in.ts'
import { visitorOf, welcome } from '#bff/accounts/sign-in/welcome.ts'
import type { Cookies } from '#bff/http/cookies.ts'
import type { Log } from '#bff/http/log.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { ssoFinishSchema, ssoStartSchema } from '#contract/bff/single-sign-on.ts'
import type { Database } from '#database/database.ts'
import { findOidcAccount } from './oidc-account.ts'
import { beginFlow, type OidcFlow, type OidcFlowCookie } from './oidc-flow.ts'
import { notBegunHere, problemOf } from './oidc-problems.ts'
import type { OidcPerson, OidcProvider } from './oidc-provider.ts'

type OidcRouteDependencies = {
  database: Database
  provider: OidcProvider
  flowCookie: OidcFlowCookie
  /** The page that the provider leads back to. */
  redirectUri: string
  signIn: SignIn
  cookies: Cookies
  log: Log
}

const PUBLIC = { method: 'POST', access: 'public', cache: 'none' } as const

/** Authorization code with PKCE. Both ends are asked for by our own page, behind the same guards as everything else. */
export function oidcRoutes(deps: OidcRouteDependencies): BffRoute[] {
  const { database, provider, flowCookie, redirectUri, signIn, cookies, log } = deps

  async function redeem(answer: Record<string, string | undefined>, flow: OidcFlow): Promise<OidcPerson> {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer))
      if (value !== undefined) url.searchParams.set(name, value)
    try {
      return await provider.redeem(url, flow)
    } catch (error) {
      log.error('single-sign-on-failed', error)
      throw problemOf(error)
    }
  }

  /** Only what becomes of a person whom the provider knows is recorded: anybody can bring made-up answers. */
  async function admitPerson(person: OidcPerson, visitor: Visitor): Promise<Account> {
    try {
      return await findOidcAccount(database, { configuredIssuer: provider.issuer, person, visitor })
    } catch (error) {
      const { address, requestId, route } = visitor
      const facts = { actor: null, object: null, address, requestId, route }
      await recordAudit(database, { ...facts, action: 'sign-in-failed' })
      throw error
    }
  }

  return [
    defineRoute({
      ...PUBLIC,
      path: '/bff/sign-in/sso',
      body: ssoStartSchema,
      async answer({ body }) {
        const flow = beginFlow(body.redirect ?? null)
        const url = await provider.authorizationUrl(flow).catch((error: unknown) => {
          log.error('single-sign-on-unavailable', error)
          throw problemOf(error)
        })
        return { json: { url: url.href }, cookies: [flowCookie.set(flow)] }
      },
    }),
    defineRoute({
      ...PUBLIC,
      path: '/bff/sign-in/sso/finish',
      body: ssoFinishSchema,
      async answer({ body, request }) {
        const visitor = visitorOf(request, 'POST /bff/sign-in/sso/finish', cookies)
        const flow = flowCookie.read(request.cookie(flowCookie.name))
        if (!flow || flow.state !== body.state) throw notBegunHere()
        const account = await admitPerson(await redeem(body, flow), visitor)
        const { json, cookies: set } = welcome(await signIn.bySingleSignOn(account, visitor), cookies)
        return { json: { ...json, redirect: flow.redirect }, cookies: [...set, flowCookie.end()] }
      },
    }),
  ]
}
