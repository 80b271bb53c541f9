import { generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { endedSessionsChannel } from '#bff/accounts/sign-in/session-store.ts'
import { LiveHub } from '#bff/http/live/live-hub.ts'
import { liveRoutes } from '#bff/http/live/live-routes.ts'
import { signedOutSchema } from '#contract/bff/sign-out.ts'
import { listen } from '#database/listen.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { BOB, LANTERN_URL, openSingleSignOn } from '#test/support/open-single-sign-on.ts'
import { CLIENT } from '#test/support/openid-provider.ts'

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const now = () => Math.floor(Date.now() / 1000)

type Node = { app: Awaited<ReturnType<typeof openSingleSignOn>>['app'] }

/** Posts as the provider, or as somebody who pretends to be it. */
function post({ app }: Node, token: string) {
  return app.request('/bff/back-channel-logout', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
}

/** Bob is signed in. */
async function openSignedIn(options: Parameters<typeof openSingleSignOn>[0] = {}) {
  const bff = await openSingleSignOn(options)
  const browser = bff.createBrowser()
  const there = bff.provider.createBrowser()
  expect((await bff.signInAs(browser, BOB, there)).status).toBe(200)
  return { ...bff, browser, there }
}

async function signOut({ ask }: { ask: (path: string, init: object) => Promise<Response> }) {
  return signedOutSchema.parse(await (await ask('/bff/sign-out', { body: {} })).json()).leaveAt
}

test('a sign-out opens the provider with the ID token, and returns to the sign-in page', async () => {
  const { browser, there, provider, createBrowser, signInAs, database } = await openSignedIn()
  const { rows } = await database.query(`select encode(sealed_id_token, 'escape') as kept from session`)
  expect(JSON.stringify(rows)).not.toMatch(/eyJ|corp/)
  const leaveAt = new URL(await signOut(browser))
  expect(leaveAt.origin).toBe(provider.issuer)
  expect(leaveAt.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  expect((await there.leave(leaveAt.href)).href).toBe(`${LANTERN_URL}/sign-in`)
  expect(provider.problems).toEqual([])
  expect(await browser.readSession()).toBeNull()
  // The provider's session has ended too: the next sign-in in that browser needs a password there.
  const next = createBrowser()
  await signInAs(next, { ...BOB, sub: 'p-carol', email: 'carol@corp.example' }, there)
  expect((await next.readSession())?.user.email).toBe('carol@corp.example')
})

test('a sign-out opens no provider page for another kind of session or an unreachable provider', async () => {
  const { browser, signIn, ask, provider, startBff } = await openSignedIn()
  await signIn()
  expect((await ask('/bff/sign-out', { body: {} })).status).toBe(204)
  const { app } = await startBff()
  provider.goDown(true)
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { 'x-lantern': '1', cookie, 'content-type': 'application/json' }
  expect((await app.request('/bff/sign-out', { method: 'POST', headers, body: '{}' })).status).toBe(204)
  expect(await browser.readSession()).toBeNull()
})

test.for([
  ['by the name of the session', true],
  ['by the person', false],
] as const)(
  'a sign-out at the provider ends its sessions at once in every tab on every node: %s',
  async ([, namesSessions]) => {
    const readPosition = async () => ({ last: 0, isAnew: false })
    const hubs = [new LiveHub(), new LiveHub()] as const
    const first = await openSignedIn({ routes: liveRoutes(hubs[0], readPosition), namesSessions })
    const { database, browser, there, provider, signInAs, createBrowser, signIn, readSession, readAudit } =
      first
    const second = await first.startBff({}, liveRoutes(hubs[1], readPosition))
    for (const [at, { sessions }] of [first, second].entries()) {
      const channel = endedSessionsChannel(sessions, (accountId) => hubs[at]?.endOf(accountId))
      onTestFinished(await listen(database.pool, [channel], () => {}))
    }
    const elsewhere = createBrowser()
    await signInAs(elsewhere, BOB)
    await signIn()
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const tabs = await Promise.all(
      [first, second].map(async ({ app }) => {
        const { body } = await app.request('/bff/live', { headers: { 'x-lantern': '1', cookie } })
        return body?.getReader()
      }),
    )
    // Its first words, and its position in the change log.
    for (const tab of [...tabs, ...tabs]) expect((await tab?.read())?.done).toBe(false)

    // Another application of the company ends the session so.
    await there.leave(`${provider.issuer}/session/end`)

    expect(provider.problems).toEqual([])
    for (const tab of tabs) expect((await tab?.read())?.done).toBe(true)
    for (const { app } of [first, second]) {
      const answer = await app.request('/bff/session', { headers: { 'x-lantern': '1', cookie } })
      expect(await answer.json()).toBeNull()
    }
    // A token by person ends all of their sessions; by name, the others go on. Nobody else's ever end.
    expect((await elsewhere.readSession()) === null).toBe(!namesSessions)
    expect(await readSession()).not.toBeNull()
    expect(await readAudit('signed-out-by-provider')).toMatchObject([{ actor: null, objectName: BOB.email }])
  },
)

test.for([
  ['another signature', {}, {}, true],
  ['another issuer', { iss: 'https://evil.example' }, {}],
  ['another audience', { aud: 'another' }, {}],
  ['no time', { iat: undefined }, {}],
  ['a time long past', { iat: now() - 3_600 }, {}],
  ['a time to come', { iat: now() + 3_600 }, {}],
  ['an end that is past', { exp: now() - 600 }, {}],
  ['no event', { events: undefined }, {}],
  ['another event', { events: { 'http://schemas.openid.net/event/x': {} } }, {}],
  [
    'an event that is no object',
    { events: { 'http://schemas.openid.net/event/backchannel-logout': true } },
    {},
  ],
  ['a nonce, as an ID token has', { nonce: 'n' }, {}],
  ['no name of its own', { jti: undefined }, {}],
  ['nobody', { sub: undefined }, {}],
  ['another type', {}, { typ: 'at+jwt' }],
] as const)('a logout token with %s does nothing', async ([, claims, header, isForged = false]) => {
  const { app, provider, browser, logged } = await openSignedIn()
  const all = { sub: BOB.sub, jti: 'j-1', iat: now(), events: EVENTS, ...claims }
  const { privateKey } = await generateKeyPair('RS256')
  const forged = new SignJWT({ iss: provider.issuer, aud: CLIENT.clientId, ...all })
    .setProtectedHeader({ alg: 'RS256', kid: 'k-1', typ: 'logout+jwt' })
    .sign(privateKey)
  const token = isForged ? await forged : await provider.sign(all, header)
  expect((await readProblem(await post({ app }, token))).status).toBe(400)
  expect(await browser.readSession()).not.toBeNull()
  expect(logged.join('')).toContain('logout-token-refused')
})

test.for([
  ['nothing', ''],
  ['no token', 'x.y.z'],
  ['one that nobody signed', `${btoa('{"alg":"none"}').replaceAll('=', '')}.e30.`],
])('%s does nothing', async ([, token = '']) => {
  const { app, browser } = await openSignedIn()
  expect((await post({ app }, token)).status).toBe(400)
  expect(await browser.readSession()).not.toBeNull()
})

test('a logout token works once, on whichever node, and needs neither session nor header', async () => {
  const { app, provider, browser, signInAs, createBrowser, startBff } = await openSignedIn()
  const token = await provider.sign({ sub: BOB.sub, jti: 'j-1', iat: now(), events: EVENTS })
  const answer = await post({ app }, token)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await browser.readSession()).toBeNull()

  const again = createBrowser()
  await signInAs(again)
  expect((await post(await startBff(), token)).status).toBe(400)
  expect((await post({ app }, token)).status).toBe(400)
  expect(await again.readSession()).not.toBeNull()
})

test('a logout token for another person or session ends no session', async () => {
  const { app, provider, browser } = await openSignedIn()
  for (const claims of [{ sub: 'p-eve' }, { sid: 'another' }, { sub: 'p-eve', sid: 'another' }]) {
    const token = await provider.sign({ jti: JSON.stringify(claims), iat: now(), events: EVENTS, ...claims })
    expect((await post({ app }, token)).status).toBe(200)
  }
  expect(await browser.readSession()).not.toBeNull()
})

test('answers 503 while the keys of the provider cannot be loaded', async () => {
  const { app, provider, browser } = await openSignedIn()
  const token = await provider.sign({ sub: BOB.sub, jti: 'j-1', iat: now(), events: EVENTS })
  provider.goDown(true)
  expect((await post({ app }, token)).status).toBe(503)
  provider.goDown(false)
  expect((await post({ app }, token)).status).toBe(200)
  expect(await browser.readSession()).toBeNull()
})
