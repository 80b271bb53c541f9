import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export const CLIENT = { clientId: 'lantern', clientSecret: 'secret-of-the-tests' }

/** What the provider says of somebody; what is not named it does not say. */
export type ProviderPerson = {
  sub: string
  email?: string
  /** Whatever providers write there. */
  email_verified?: boolean | string
  name?: string
  groups?: readonly string[]
}

type ProviderOptions = {
  /** Where Lantern is found by browsers. */
  lanternUrl: string
  /** How the provider itself reaches Lantern; over the network unless given. */
  deliver?: (request: Request) => Promise<Response>
  /** Whether it calls its sessions by name. */
  namesSessions?: boolean
  port?: number
}

/** node-oidc-provider, a certified provider of OpenID Connect, on loopback. Whoever is its `person` is signed in there without a form. */
export async function startOpenIdProvider({
  lanternUrl,
  deliver = (request) => fetch(request),
  namesSessions = true,
  port = 0,
}: ProviderOptions) {
  let isDown = false
  let serve: ReturnType<Provider['callback']> | null = null
  const server = createServer((request, response) => {
    if (isDown || !serve) request.socket.destroy()
    else void serve(request, response)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  const issuer = `http://127.0.0.1:${address.port}`

  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'k-1', alg: 'RS256', use: 'sig' }
  let signedInSecondsAgo = 0
  const people = new Map<string, ProviderPerson>()
  let person: ProviderPerson = { sub: 'p-1' }
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [new URL('/sign-in', lanternUrl).href],
        post_logout_redirect_uris: [new URL('/sign-in', lanternUrl).href],
        backchannel_logout_uri: new URL('/bff/back-channel-logout', lanternUrl).href,
        backchannel_logout_session_required: namesSessions,
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups', 'realm_access'],
    },
    conformIdTokenClaims: false,
    // Its own refuses this machine.
    fetch: (url, { method, headers, body } = {}) => deliver(new Request(url, { method, headers, body })),
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the tests'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // Signs out without asking.
        logoutSource: (ctx, form) => {
          ctx.body = form
        },
      },
    },
    findAccount: (_, sub) => {
      const found = people.get(sub)
      return (
        found && { accountId: sub, claims: () => ({ ...found, groups: found.groups && [...found.groups] }) }
      )
    },
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc
      if (!client || !session?.accountId) return undefined
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 60, Session: 600 },
  }
  const provider = new Provider(issuer, configuration)
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next()
    await provider.interactionFinished(ctx.req, ctx.res, {
      login: { accountId: person.sub, ts: Math.floor(Date.now() / 1000) - signedInSecondsAgo },
    })
    ctx.respond = false
  })
  const problems: string[] = []
  provider.on('backchannel.error', (_, error) => problems.push(error.message))
  provider.on('server_error', (_, error) => problems.push(error.message))
  serve = provider.callback()

  return {
    issuer,
    provider,
    /** What went wrong at the provider, which it tells nobody. */
    problems,
    /** Who is at the provider's form from now on. */
    be(someone: ProviderPerson) {
      person = someone
      people.set(someone.sub, someone)
    },
    /** When whoever comes through its form from now on has typed a password there. */
    haveSignedIn(secondsAgo: number) {
      signedInSecondsAgo = secondsAgo
    },
    goDown: (down: boolean) => {
      isDown = down
    },
    createBrowser: () => createProviderBrowser(issuer),
    /** A token that the provider has signed, whatever it says. */
    sign: (claims: Readonly<Record<string, unknown>>, header: Partial<JWTHeaderParameters> = {}) =>
      new SignJWT({ iss: issuer, aud: CLIENT.clientId, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k-1', typ: 'logout+jwt', ...header })
        .sign(privateKey),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A browser's cookies at the provider. */
function createProviderBrowser(issuer: string) {
  const cookies = new Map<string, string>()
  /** Follows the provider's redirects until one leads away from it. */
  async function follow(url: string, init: RequestInit = {}): Promise<{ away: string } | { page: string }> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return { page: await response.text() }
    const next = new URL(location, url)
    return next.origin === issuer ? follow(next.href) : { away: next.href }
  }

  return {
    cookies,
    /** To where the provider sends a browser that came to sign in. */
    async visit(url: string): Promise<URL> {
      const end = await follow(url)
      if ('page' in end) throw new Error(`The provider shows a page: ${end.page.slice(0, 300)}`)
      return new URL(end.away)
    },
    /** Signs out there, as the page does when somebody confirms it. */
    async leave(url: string): Promise<URL> {
      const end = await follow(url)
      if (!('page' in end)) return new URL(end.away)
      const [, action = ''] = /action="([^"]+)"/.exec(end.page) ?? []
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(end.page) ?? []
      const left = await follow(action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
      })
      return new URL('away' in left ? left.away : action)
    },
  }
}
