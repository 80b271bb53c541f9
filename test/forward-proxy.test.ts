import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createOidcProvider } from '#bff/accounts/oidc/oidc-provider.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { readProblem } from './support/ask-bff.ts'
import { createTestData } from './support/ask-data.ts'
import { startConnectProxy } from './support/connect-proxy.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { earlierDetail, v1Detail } from './support/upstream-records.ts'
import { takeDatabase } from './support/with-database.ts'

const KEY = 'key-of-the-tests'
const AUTHORIZATION = `Basic ${btoa('ada:pass word')}`
const VENDOR = { url: 'https://vendor.test', apiKey: KEY, kind: 'vendor' } as const
const NAMED_MAX_MS = 15_000

type Behaviour = Parameters<typeof startConnectProxy>[1]

async function startBehind(behaviour: Behaviour = { authorization: AUTHORIZATION }) {
  const standIn = await startStandInUpstream()
  for (const id of ['a', 'b', 'c'])
    standIn.play(`/api/v1/threats/${id}`, { json: { data: v1Detail({ id }) } })
  const proxy = await startConnectProxy(standIn.url, behaviour)
  return { standIn, proxy, forwardProxy: { origin: proxy.origin, authorization: AUTHORIZATION, except: [] } }
}

test('requests the vendor through the proxy, which sees the host name and no key', async () => {
  const { standIn, proxy, forwardProxy } = await startBehind()
  const { ask } = await createTestData({ upstream: VENDOR, proxy: forwardProxy })
  expect((await ask('/bff/threats/a?set=v1')).status).toBe(200)
  expect(proxy.requested.map(({ authority }) => authority)).toEqual(['vendor.test:443'])
  expect(proxy.requested[0]?.headers['proxy-authorization']).toBe(AUTHORIZATION)
  expect(standIn.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, host: 'vendor.test' })
  expect(standIn.calls[0]?.headers).not.toHaveProperty('proxy-authorization')
  expect(JSON.stringify(proxy.requested)).not.toContain(KEY)
  expect(proxy.seen().length).toBeGreaterThan(100)
  expect(proxy.seen()).not.toContain(KEY)
})

test('reuses its connections through the proxy, and connects to a local vendor without it', async () => {
  const { standIn, proxy, forwardProxy } = await startBehind()
  const through = await createTestData({ upstream: VENDOR, proxy: forwardProxy })
  for (const id of ['a', 'b', 'c']) await through.ask(`/bff/threats/${id}?set=v1`)
  expect(standIn.calls).toHaveLength(3)
  expect(proxy.requested).toHaveLength(1)
  const direct = await createTestData({ upstream: { url: standIn.url }, proxy: forwardProxy })
  expect((await direct.ask('/bff/threats/a?set=v1')).status).toBe(200)
  expect(proxy.requested).toHaveLength(1)
})

test.each<[string, Behaviour | null, RegExp]>([
  ['wants other credentials', { authorization: 'Basic other' }, /407.*HTTPS_PROXY/],
  ['does not permit the host', { status: 403 }, /does not let Lantern through/],
  ['cannot reach it', { status: 502 }, /says that it cannot reach/],
  ['hangs', { hangs: true }, /cannot be reached, or does not answer/],
  ['is not there', null, /cannot be reached, or does not answer/],
  ['has a certificate of its own', { isUntrusted: true }, /TLS certificate.*NODE_EXTRA_CA_CERTS/],
])('reports to an admin that a proxy %s, and shows no credentials', async (_, behaviour, sentence) => {
  const { forwardProxy } = await startBehind(behaviour ?? {})
  const proxy = behaviour ? forwardProxy : { ...forwardProxy, origin: 'http://localhost:1' }
  const database = await takeDatabase('bff')
  const { ask, logged } = await startSignedIn(database, { upstream: VENDOR, proxy })
  const connection = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).trouble
  await expect.poll(connection, { timeout: NAMED_MAX_MS }).toMatch(sentence)
  const all = `${await connection()}${logged.join('')}`
  expect(all).toContain(`The proxy ${proxy.origin} of HTTPS_PROXY `)
  for (const secret of ['pass word', 'pass%20word', AUTHORIZATION, btoa('ada:pass word'), KEY]) {
    expect(all).not.toContain(secret)
  }
})

test.each([
  [['pictures.test'], 'https://pictures.test/1.png', 200],
  [['*'], 'https://pictures.test/1.png', 422],
  [['*', '*.pictures.test'], 'https://pictures.test/1.png', 422],
  [['10.0.0.7', '*'], 'https://10.0.0.7/1.png', 422],
])('fetches pictures through the proxy from hosts that are named (%s)', async (hosts, url, status) => {
  const { standIn, proxy, forwardProxy } = await startBehind()
  const raw = await sharp({ create: { width: 4, height: 2, channels: 3, background: '#0a8' } })
    .png()
    .toBuffer()
  standIn.play('/api/feed/thr_1', { json: earlierDetail({ evidence: [{ type: 'screenshot', url }] }) })
  standIn.play('/1.png', { raw, headers: { 'content-type': 'image/png' } })
  const { ask } = await createTestData({ upstream: VENDOR, proxy: forwardProxy, evidenceHosts: hosts })
  const answer = await ask('/bff/threats/thr_1/evidence/0?set=earlier')
  expect(answer.status).toBe(status)
  if (status !== 200) expect((await readProblem(answer)).code).toBe('picture_unavailable')
  const hostsAsked = proxy.requested.map(({ authority }) => authority)
  expect(hostsAsked).toEqual(['vendor.test:443', ...(status === 200 ? ['pictures.test:443'] : [])])
})

test('requests the provider of single sign-on through the proxy', async () => {
  const { standIn, proxy, forwardProxy } = await startBehind()
  const issuer = 'https://login.test'
  standIn.play('/.well-known/openid-configuration', {
    json: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    },
  })
  standIn.play('/token', async (call) => {
    const { grant_type } = Object.fromEntries(new URLSearchParams(await call.readText()))
    return { status: 400, json: { error: 'invalid_grant', error_description: grant_type } }
  })
  const provider = createOidcProvider({
    issuer,
    clientId: 'lantern',
    clientSecret: 'of-the-tests',
    proxy: forwardProxy,
    redirectUri: 'http://localhost:4173/sign-in',
  })
  const flow = { state: 'a', nonce: 'b', verifier: 'c'.repeat(43), redirect: null, endsAt: 0 }
  expect((await provider.authorizationUrl(flow)).origin).toBe(issuer)
  const back = new URL('http://localhost:4173/sign-in?code=d&state=a')
  await expect(provider.redeem(back, flow)).rejects.toMatchObject({
    error_description: 'authorization_code',
  })
  expect(proxy.requested.map(({ authority }) => authority)).toContain('login.test:443')
  expect(standIn.calls.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration', '/token'])
})
