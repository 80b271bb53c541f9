import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { ResolveHost } from '#server/public-host.ts'
import { aGroup, aMatchesMessage, aTestMessage } from '#test/fixtures/message-fixtures.ts'
import { startConnectProxy } from '#test/support/connect-proxy.ts'
import { startReceiver } from '#test/support/stand-in-receiver.ts'
import type { Attempt } from './channel.ts'
import { createWebhookSecret } from './sign-webhook.ts'
import { sendToSlack, sendToTeams, sendToWebhook, type WebChannelOptions } from './web-channels.ts'

const SECRET = createWebhookSecret()
const TOKEN = 'x7Qzx7Qzx7Qzx7Qzx7Qzx7Qz'
const PATH = `/services/T0AAAAAAA/B0BBBBBBB/${TOKEN}`
const here: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }]
const nowhere: ResolveHost = () => Promise.reject(new Error('ENOTFOUND'))
const NAMED = { hosts: ['vendor.test'], resolve: here }
const channels = {
  slack: sendToSlack,
  teams: sendToTeams,
  webhook: (options: WebChannelOptions, attempt: Attempt) =>
    sendToWebhook({ ...options, secretsOf: async () => [SECRET] }, attempt),
}

async function play(
  kind: keyof typeof channels,
  answer: (response: ServerResponse, giveUp: () => void) => void,
) {
  const patience = new AbortController()
  const { origin, received } = await startReceiver((response) => answer(response, () => patience.abort()))
  const send = (message = aMatchesMessage()) =>
    channels[kind](NAMED, {
      message,
      destination: origin + PATH,
      deliveryId: 'delivery-1',
      signal: patience.signal,
    })
  return { send, received }
}

const say =
  (status: number, body = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

test.each([
  ['slack', 200, 'ok'],
  ['teams', 202, ''],
  ['webhook', 200, '{"received":true}'],
  ['webhook', 204, ''],
] as const)('%s accepts with %i %s', async (kind, status, body) => {
  const { send, received } = await play(kind, say(status, body))
  expect(await send()).toEqual({ kind: 'accepted', code: String(status), excerpt: body })
  expect(received).toMatchObject([{ path: PATH, headers: { 'content-type': 'application/json' } }])
})

// curl sends each of them so, except the last three, which are no paths before URL has read them.
test.each([
  ['', '/'],
  ['?a', '/?a'],
  ['/q?', '/q?'],
  [`/invoke?sp=%2Ftriggers%2fmanual&who='me'&n=1+2%20`, `/invoke?sp=%2Ftriggers%2fmanual&who='me'&n=1+2%20`],
  ['/a%2Fb/%7e~/%E2%82%AC/;p=1,2!$&()*@:=', '/a%2Fb/%7e~/%E2%82%AC/;p=1,2!$&()*@:='],
  ['/100%/..a/.b.?c=/../#d?e', '/100%/..a/.b.?c=/../'],
  ['/a/../b/./c', '/b/c'],
  ['/a\\b', '/a/b'],
  ['/"<x>', '/%22%3Cx%3E'],
])('sends the address %j as the path %j', async (written, path) => {
  const { origin, received } = await startReceiver(say(204))
  const { signal } = new AbortController()
  const attempt = { message: aTestMessage(), deliveryId: 'a', signal }
  const send = (destination: string) => channels.webhook(NAMED, { ...attempt, destination })
  expect(await send(origin + written)).toMatchObject({ kind: 'accepted' })
  expect(received).toMatchObject([{ path }])
})

test('leaves the dot at the end of a host out of the name for TLS alone', async () => {
  const [authority, message] = ['vendor.test.', aTestMessage()]
  const { port, received } = await startReceiver(say(204), { authority })
  const { origin } = await startConnectProxy(`https://127.0.0.1:${port}`)
  const proxy = { origin, authorization: null, except: [] }
  const { signal } = new AbortController()
  const destination = `https://${authority}/`
  const attempt = { message, destination, deliveryId: 'a', signal }
  expect(await channels.webhook({ hosts: ['vendor.test'], proxy }, attempt)).toMatchObject({ code: '204' })
  expect(received).toHaveLength(1)
})

const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString()
const refusals: [keyof typeof channels, number, string, Record<string, string>, object][] = [
  ['slack', 200, '<html>Sign in to the network</html>', {}, { isPermanent: false, retryAfterMs: null }],
  ['slack', 404, 'no_service', {}, { isPermanent: true, excerpt: 'no_service' }],
  ['slack', 400, 'invalid_token', {}, { isPermanent: true }],
  ['slack', 429, 'rate_limited', { 'retry-after': '7' }, { isPermanent: false, retryAfterMs: 7_000 }],
  ['slack', 500, 'rollup_error', {}, { isPermanent: false }],
  ['slack', 410, 'channel_is_archived', {}, { isPermanent: true, isGone: false }],
  ['teams', 410, 'gone', {}, { isPermanent: true, isGone: false }],
  ['teams', 429, '', { 'retry-after': inAnHour() }, { retryAfterMs: expect.closeTo(3_600_000, -5) }],
  ['webhook', 404, '', {}, { isPermanent: false, isGone: false }],
  ['webhook', 410, '', {}, { isPermanent: true, isGone: true }],
  ['webhook', 503, '', { 'retry-after': '-5' }, { isPermanent: false, retryAfterMs: null }],
  ['webhook', 503, '', { 'retry-after': '86400' }, { retryAfterMs: 86_400_000 }],
  ['webhook', 503, '', { 'retry-after': '999999999' }, { retryAfterMs: 86_400_000 }],
  ['webhook', 503, '', { 'retry-after': '1000000000000' }, { retryAfterMs: 86_400_000 }],
  ['webhook', 503, '', { 'retry-after': '9'.repeat(400) }, { retryAfterMs: 86_400_000 }],
  ['webhook', 503, '', { 'retry-after': 'Sun Nov  6 08:49:37 1994' }, { retryAfterMs: 0 }],
  ['webhook', 503, '', { 'retry-after': 'Sunday, 06-Nov-94 08:49:37 GMT' }, { retryAfterMs: 0 }],
  ['webhook', 503, '', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, { retryAfterMs: 86_400_000 }],
  ['webhook', 503, '', { 'retry-after': 'Someday, never GMT' }, { retryAfterMs: null }],
]
test.each(refusals)('%s refuses with %i %s', async (kind, status, body, headers, answer) => {
  const { send } = await play(kind, say(status, body, headers))
  expect(await send()).toMatchObject({ kind: 'refused', code: String(status), ...answer })
})

test('follows no redirect', async () => {
  const elsewhere = await startReceiver(say(200, 'ok'))
  const { send } = await play('slack', say(307, '', { location: `${elsewhere.origin}${PATH}` }))
  expect(await send()).toMatchObject({ kind: 'refused', code: '307', isPermanent: false })
  expect(elsewhere.received).toEqual([])
})

test('quotes answers without addresses and invisible characters, up to 200 characters', async () => {
  const { send } = await play(
    'webhook',
    say(500, `No\u202e\r\n${PATH} ${TOKEN} at https://vendor.test/x ${'!'.repeat(9_000)}`),
  )
  const { excerpt } = await send()
  expect(excerpt).toMatch(/^No‹U\+202E› /)
  expect(excerpt).not.toMatch(/x7Qz|vendor\.test/)
  expect(excerpt.length).toBeLessThanOrEqual(200)
})

test('takes the status for an answer though its body never ends', async () => {
  const { send } = await play('webhook', (response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'.repeat(2_000)), 5)
    response.once('close', () => clearInterval(drip))
  })
  expect(await send()).toMatchObject({ kind: 'accepted', code: '200' })
})

test.each<[string, (response: ServerResponse, giveUp: () => void) => void]>([
  ['the line ends after all was sent', (response) => response.destroy()],
  ['no answer comes in time', (_response, giveUp) => giveUp()],
  [
    'the answer breaks off',
    (response) =>
      void response.writeHead(200, { 'content-length': '2' }).write('o', () => response.destroy()),
  ],
])('reports an unclear arrival if %s', async (_, act) => {
  const { send, received } = await play('slack', act)
  expect(await send()).toMatchObject({ kind: 'unclear' })
  expect(received).toHaveLength(1)
})

async function startPlain(act: 'cut' | 'hang') {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (act === 'cut') socket.destroy()
    onTestFinished(() => void socket.destroy())
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

test.each<[string, () => Promise<number>, ResolveHost, string, timeoutMs?: number]>([
  ['a connection that is cut', () => startPlain('cut'), here, 'Connection closed by the other side.'],
  ['a connection that hangs', () => startPlain('hang'), here, 'Connection timed out.', 500],
  ['a port that nobody listens on', findFreePort, here, 'Connection refused.'],
  ['a name that is unknown', async () => 443, nowhere, 'Host name not found.'],
])('says that nothing has arrived, and why, by %s', async (_, openPort, resolve, excerpt, timeoutMs) => {
  const destination = `https://vendor.test:${await openPort()}${PATH}`
  const options = { ...NAMED, resolve, ...(timeoutMs && { timeoutMs }) }
  const { signal } = new AbortController()
  const attempt = { message: aTestMessage(), destination, deliveryId: 'a', signal }
  expect(await sendToSlack(options, attempt)).toMatchObject({
    kind: 'refused',
    code: null,
    isPermanent: false,
    excerpt,
  })
})

test.each(['slack', 'teams', 'webhook'] as const)(
  '%s sends nothing that the ledger does not know of, and says first that it leaves',
  async (kind) => {
    const { origin, received } = await startReceiver(say(200, 'ok'))
    const { signal } = new AbortController()
    const send = (onBody: () => Promise<void>) =>
      channels[kind](NAMED, {
        message: aTestMessage(),
        destination: origin + PATH,
        deliveryId: 'a',
        signal,
        onBody,
      })
    expect(await send(() => Promise.reject(new Error('The database is away')))).toMatchObject({
      kind: 'refused',
      code: null,
      isPermanent: false,
      excerpt: 'Not sent: Lantern could not note in its database that the message leaves.',
    })
    expect(received).toEqual([])
    const arrived: number[] = []
    const noted = await send(async () => void arrived.push(received.length))
    expect([noted.kind, arrived, received.length]).toEqual(['accepted', [0], 1])
  },
)

test('refuses a certificate for another host, in words', async () => {
  const { origin, received } = await startReceiver(say(200, 'ok'))
  const destination = origin.replace('vendor.test', 'other.test') + PATH
  const options = { hosts: ['other.test'], resolve: here }
  const { signal } = new AbortController()
  const attempt = { message: aTestMessage(), destination, deliveryId: 'a', signal }
  expect(await sendToSlack(options, attempt)).toMatchObject({
    kind: 'refused',
    code: null,
    excerpt: 'Its TLS certificate is for another host.',
  })
  expect(received).toEqual([])
})

test.each([
  ['10.0.0.7'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['0.0.0.0'],
  ['::ffff:127.0.0.1'],
  ['fd00::1'],
])('connects to no host whose name resolves to %s, also among public addresses', async (address) => {
  const requested: string[] = []
  const resolve: ResolveHost = async (host) => {
    requested.push(host)
    return [
      { address: '93.184.216.34', family: 4 },
      { address, family: address.includes(':') ? 6 : 4 },
    ]
  }
  const options = { hosts: [], resolve }
  const destination = `https://hooks.slack.com${PATH}`
  const { signal } = new AbortController()
  const attempt = { message: aTestMessage(), destination, deliveryId: 'a', signal }
  expect(await sendToSlack(options, attempt)).toMatchObject({
    kind: 'refused',
    excerpt: expect.stringMatching(/private network/),
  })
  expect(requested).toEqual(['hooks.slack.com'])
})

test.each([
  ['slack', 'http://hooks.slack.com/services/a'],
  ['slack', 'https://hooks.slack.com.evil.example/services/a'],
  ['slack', 'https://hooks.slack.com:8443/services/a'],
  ['teams', 'https://evil.example/workflows/a'],
  ['webhook', 'http://hooks.example/a'],
  ['webhook', 'https://ada:secret@hooks.example/a'],
  ['webhook', 'https://localhost/a'],
  ['webhook', 'https://metadata.google.internal/a'],
  ['webhook', 'https://[::ffff:7f00:1]/a'],
  ['webhook', 'https://2130706433/a'],
  ['webhook', 'https://hooks.example/\r\nHost: evil.example'],
] as const)('%s never resolves the host of %s', async (kind, destination) => {
  const resolve: ResolveHost = () => expect.unreachable()
  const { signal } = new AbortController()
  const attempt = { message: aTestMessage(), destination, deliveryId: 'a', signal }
  expect(await channels[kind]({ hosts: [], resolve }, attempt)).toMatchObject({
    kind: 'refused',
    code: null,
    isPermanent: true,
  })
})

test('reaches named hosts through the proxy, which looks names up and sees no token', async () => {
  const receiver = await startReceiver(say(200, 'ok'), { authority: 'vendor.test' })
  const { origin, requested, seen } = await startConnectProxy(receiver.origin)
  const proxy = { origin, authorization: null, except: [] }
  const sendTo = (host: string) =>
    channels.webhook(
      { hosts: ['vendor.test'], proxy, resolve: () => expect.unreachable() },
      {
        message: aGroup(),
        destination: `https://${host}${PATH}`,
        deliveryId: 'delivery-1',
        signal: new AbortController().signal,
      },
    )
  expect(await sendTo('vendor.test')).toMatchObject({ kind: 'accepted', code: '200' })
  expect(await sendTo('anyone.example')).toMatchObject({
    kind: 'refused',
    excerpt: expect.stringMatching(/NOTIFY_HOSTS/),
  })
  expect(requested.map(({ authority }) => authority)).toEqual(['vendor.test:443'])
  expect(receiver.received).toMatchObject([{ path: PATH, headers: { host: 'vendor.test' } }])
  expect(seen()).not.toContain(TOKEN)
})

test('signs each attempt separately under one id, which the reference library verifies', async () => {
  const { send, received } = await play('webhook', say(500))
  await send(aGroup())
  await send(aGroup())
  for (const { headers, body } of received) {
    const payload = new Webhook(SECRET).verify(
      body,
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    )
    expect(payload).toMatchObject({ type: 'alert.matches', data: { count: 13, criticalCount: 5 } })
  }
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['delivery-1-1', 'delivery-1-1'])
})

test('signs with both secrets while one replaces the other, and never without one', async () => {
  const { origin, received } = await startReceiver(say(204))
  const sendWith = (secrets: string[]) =>
    sendToWebhook(
      { ...NAMED, secretsOf: async () => secrets },
      {
        message: aTestMessage(),
        destination: `${origin}/`,
        deliveryId: 'a',
        signal: new AbortController().signal,
      },
    )
  const older = createWebhookSecret()
  expect(await sendWith([SECRET, older])).toMatchObject({ kind: 'accepted' })
  const [{ headers, body } = { headers: {}, body: '' }] = received
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  for (const secret of [SECRET, older]) expect(new Webhook(secret).verify(body, given)).toBeDefined()
  for (const secrets of [[], ['whsec_c2hvcnQ='], ['whsec_'], [SECRET.slice(6)], [`${SECRET}!`]]) {
    expect(await sendWith(secrets)).toMatchObject({ kind: 'refused', isPermanent: true })
  }
  expect(received).toHaveLength(1)
})
