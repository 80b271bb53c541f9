import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const CLIENT = { clientId: 'lantern', clientSecret: 'secret-of-the-tests' }

export type Person = { sub: string; email?: string; email_verified?: boolean | string; name?: string }

type Grant = { person: Person; nonce: string; challenge: string; redirectUri: string }

export type FakeIdentityProvider = {
  issuer: string
  /** Who is signed in there, for all browsers; null says no to them. */
  person: Person | null
  /** What it lies about in the tokens it signs; where `authAgeSeconds` is null, it does not say when somebody signed in. */
  lies: {
    nonce?: string
    key?: KeyObject
    issuer?: string
    ageSeconds?: number
    authAgeSeconds?: number | null
  }
  /** Claims that come only from the userinfo endpoint. */
  withheld: readonly (keyof Person)[]
  isDown: boolean
  requests: string[]
  close(): Promise<void>
}

/** A provider of OpenID Connect on loopback, as small as one can be that keeps the rules. */
export async function startIdentityProvider(port = 0): Promise<FakeIdentityProvider> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => {
    provider.requests.push(request.url ?? '')
    if (provider.isDown) request.socket.destroy()
    else void answer(request, response)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  const issuer = `http://127.0.0.1:${address.port}/realm`

  const provider: FakeIdentityProvider = {
    issuer,
    person: null,
    lies: {},
    withheld: [],
    isDown: false,
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', issuer)
    const sendJson = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))

    if (url.pathname === '/realm/.well-known/openid-configuration')
      return void sendJson(200, metadata(issuer))
    if (url.pathname === '/realm/keys') {
      const key = createPublicKey(privateKey).export({ format: 'jwk' })
      return void sendJson(200, { keys: [{ ...key, kid: 'k-1', alg: 'ES256', use: 'sig' }] })
    }
    if (url.pathname === '/realm/authorize') {
      return void response.writeHead(302, { location: authorize(url.searchParams) }).end()
    }
    if (url.pathname === '/realm/token') {
      const claims = redeem(request.headers.authorization, new URLSearchParams(await textOf(request)))
      if (!claims) return void sendJson(400, { error: 'invalid_grant' })
      const token = signToken(claims, provider.lies.key ?? privateKey)
      return void sendJson(200, { access_token: 'a', token_type: 'Bearer', id_token: token, expires_in: 60 })
    }
    if (url.pathname === '/realm/me') return void sendJson(200, provider.person)
    response.writeHead(404).end()
  }

  function authorize(params: URLSearchParams): string {
    const read = (name: string) => params.get(name) ?? ''
    const back = new URL(read('redirect_uri'))
    back.searchParams.set('state', read('state'))
    if (
      !provider.person ||
      read('code_challenge_method') !== 'S256' ||
      read('client_id') !== CLIENT.clientId
    ) {
      back.searchParams.set('error', 'access_denied')
      return back.href
    }
    const code = `code-${grants.size}`
    const redirectUri = read('redirect_uri')
    grants.set(code, {
      person: provider.person,
      nonce: read('nonce'),
      challenge: read('code_challenge'),
      redirectUri,
    })
    back.searchParams.set('code', code)
    return back.href
  }

  function redeem(authorization: string | undefined, body: URLSearchParams): object | null {
    const code = body.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const isClient = readBasic(authorization) === `${CLIENT.clientId}:${CLIENT.clientSecret}`
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (
      !grant ||
      !isClient ||
      challenge !== grant.challenge ||
      body.get('redirect_uri') !== grant.redirectUri
    ) {
      return null
    }
    const { sub, ...more } = grant.person
    const seconds = Math.floor(Date.now() / 1000) - (provider.lies.ageSeconds ?? 0)
    const { authAgeSeconds: authAge = 0 } = provider.lies
    const claims = Object.entries(more).filter(
      ([name]) => !provider.withheld.some((withheld) => withheld === name),
    )
    return {
      ...Object.fromEntries(claims),
      sub,
      iss: provider.lies.issuer ?? issuer,
      aud: CLIENT.clientId,
      nonce: provider.lies.nonce ?? grant.nonce,
      iat: seconds,
      ...(authAge !== null && { auth_time: seconds - authAge }),
      exp: seconds + 60,
    }
  }

  return provider
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/me`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
  }
}

function signToken(claims: object, key: KeyObject): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg: 'ES256', kid: 'k-1', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** Both halves are form-encoded before they are put together (RFC 6749, 2.3.1). */
function readBasic(authorization = ''): string {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  return pair
    .split(':')
    .map((half) => decodeURIComponent(half.replaceAll('+', ' ')))
    .join(':')
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
