import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { readProblem } from '#test/support/ask-bff.ts'
import { openDoor } from '#test/support/open-door.ts'
import { findConnectionFault } from './connection-guard.ts'
import { findForgery } from './request-guard.ts'
import { commonHeaders, DATA_HEADERS, PAGE_HEADERS } from './response-headers.ts'

const HOSTS = new Set(['lantern.example'])

/** A request as Node has parsed it: its headers name and value in turn. */
function requestOf(url: string, ...rawHeaders: string[]): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { url, rawHeaders })
}

describe('a connection is believed', () => {
  test.each([
    ['with its host', requestOf('/x?y=//z', 'Host', 'lantern.example')],
    ['with its host in any case', requestOf('/', 'HOST', 'Lantern.Example')],
    ['with a body in chunks', requestOf('/', 'host', 'lantern.example', 'Transfer-Encoding', 'Chunked')],
    [
      'with headers that are as long as those names',
      requestOf('/', 'from', 'a@b.example', 'host', 'lantern.example', 'x-forwarded-proto', 'gzip'),
    ],
  ])('%s', (_, request) => {
    expect(findConnectionFault(request, HOSTS)).toBeNull()
  })

  test('with any host, or none, where none is known yet', () => {
    expect(findConnectionFault(requestOf('/'), null)).toBeNull()
    expect(findConnectionFault(requestOf('/', 'host', 'evil.example'), null)).toBeNull()
  })
})

describe('a connection is refused', () => {
  const target = 'The request target must be a path on this server.'
  const chunked = 'Only chunked transfer encoding is read.'
  const ours = ['host', 'lantern.example'] as const
  test.each([
    ['without a target', requestOf('', ...ours), target],
    ['for all of the server', requestOf('*', ...ours), target],
    ['for a whole address', requestOf('http://lantern.example/', ...ours), target],
    ['for a path that is another host', requestOf('//evil.example/x', ...ours), target],
    ['for a path with a backslash', requestOf('/\\evil.example/x', ...ours), target],
    ['for one with a backslash further on', requestOf('/a/\\b', ...ours), target],
    ['with two hosts', requestOf('/', ...ours, ...ours), 'Send one Host header.'],
    ['with another coding', requestOf('/', ...ours, 'transfer-encoding', 'gzip, chunked'), chunked],
    ['without a host', requestOf('/', 'hose', 'lantern.example'), 'Send a Host header.'],
  ])('%s', (_, request, detail) => {
    const fault = findConnectionFault(request, HOSTS)
    expect(fault?.problem).toMatchObject({ code: 'bad_request', status: 400, detail })
    expect(fault?.headers).toEqual({ connection: 'close' })
  })

  test('for two hosts and another coding, also where none is known yet', () => {
    expect(findConnectionFault(requestOf('/', 'host', 'a', 'host', 'a'), null)).not.toBeNull()
    expect(findConnectionFault(requestOf('/', 'transfer-encoding', 'identity'), null)).not.toBeNull()
  })

  test('for a host that is not ours, and says which address is', () => {
    const fault = findConnectionFault(requestOf('/', 'host', 'evil.example'), HOSTS)
    expect(fault?.problem).toMatchObject({ status: 421, detail: expect.stringContaining('PUBLIC_URL') })
    expect(fault?.headers).toEqual({ connection: 'close' })
  })
})

describe('a request comes from a page of ours', () => {
  const origins = new Set(['https://lantern.example'])
  const find = (headers: Record<string, string>) =>
    findForgery((name) => ({ 'x-lantern': '1', ...headers })[name], origins)

  test.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'https://lantern.example' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://lantern.example' }],
  ])('with %j', (headers) => {
    expect(find(headers)).toBeNull()
  })

  const header = 'Send the header x-lantern: 1.'
  const page = 'Only pages of this server may ask.'
  test.each([
    [{ 'x-lantern': '' }, header],
    [{ 'x-lantern': 'true' }, header],
    [{ 'sec-fetch-site': 'same-site' }, page],
    [{ 'sec-fetch-site': 'none' }, page],
    [{ origin: 'null' }, page],
    [{ origin: 'http://lantern.example' }, page],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, page],
  ])('and not with %j', (headers, detail) => {
    expect(find(headers)?.problem).toMatchObject({
      code: 'bad_request',
      status: 403,
      title: 'The request was refused',
      detail,
    })
  })
})

describe('the security headers', () => {
  test('of every answer forbid type sniffing and cross-site use, and require HTTPS for two years', () => {
    expect(commonHeaders(true)).toEqual({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    })
    expect(Object.keys(commonHeaders(false))).not.toContain('strict-transport-security')
  })

  test('of data forbid caching and all content', () => {
    expect(DATA_HEADERS).toEqual({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
  })

  test('of a page allow only content from its own origin', () => {
    const policy = new Map(
      PAGE_HEADERS['content-security-policy']?.split('; ').map((rule) => {
        const [name = '', ...values] = rule.split(' ')
        return [name, values.join(' ')]
      }),
    )
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' blob:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
      'report-to': 'csp',
    })
  })

  test('of a page isolate it from other sites and deny access to devices', () => {
    expect(PAGE_HEADERS).toEqual({
      'content-security-policy': expect.any(String),
      'permissions-policy': expect.any(String),
      'cross-origin-opener-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
      'reporting-endpoints': 'csp="/bff/csp-report"',
    })
    expect(PAGE_HEADERS['permissions-policy']?.split(', ')).toEqual(
      expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()', 'payment=()', 'usb=()']),
    )
    expect(PAGE_HEADERS['permissions-policy']).toMatch(/^[a-z-]+=\(\)(?:, [a-z-]+=\(\))*$/)
  })
})

describe('reports of browsers', () => {
  const report = (body: object) => ({ type: 'csp-violation', body })
  const open = () => {
    const door = openDoor()
    const headers = { 'x-lantern': '', cookie: '', 'content-type': 'application/reports+json' }
    const send = async (reports: unknown, peerAddress = '192.0.2.1') =>
      (await door.ask('/bff/csp-report', { body: reports, headers, peerAddress })).status
    return { ...door, send, lines: () => door.logged.map((line) => JSON.parse(line)) }
  }

  test('are logged without what a reader may have searched for', async () => {
    const { send, lines } = open()
    const blockedURL = 'https://evil.example/x?q=secret'
    const body = { effectiveDirective: 'img-src', blockedURL, sourceFile: '/app.js', lineNumber: 3 }
    expect(await send([report(body)])).toBe(204)
    expect(lines()).toMatchObject([
      {
        event: 'csp-violation',
        directive: 'img-src',
        blocked: 'https://evil.example',
        source: '/app.js',
        line: 3,
      },
    ])
  })

  test('are logged as far as they go, each word bounded', async () => {
    const { send, lines } = open()
    await send([
      report({ blockedURL: 'inline' }),
      report({ effectiveDirective: 'x'.repeat(300), sourceFile: null }),
    ])
    const [inline, long] = lines()
    expect(inline).toMatchObject({ directive: null, blocked: 'inline', source: null })
    expect(long).toMatchObject({ directive: 'x'.repeat(200), blocked: null, source: null })
  })

  test('are limited for each address and in total', async () => {
    const { send, lines } = open()
    await send(Array(500).fill(report({ blockedURL: 'flood' })), '2001:db8::1')
    await send(Array(500).fill(report({ blockedURL: 'flood' })), '2001:db8::2')
    expect(lines()).toHaveLength(10)
    await send([report({ blockedURL: 'inline' })], '192.0.2.9')
    expect(lines().at(-1)).toMatchObject({ blocked: 'inline' })
    for (let source = 0; source < 40; source += 1) {
      await send(Array(11).fill(report({})), `198.51.100.${source}`)
    }
    expect(lines()).toHaveLength(20)
  })

  test('are logged ten times a minute', async () => {
    const { send, logged, wait } = open()
    await send(Array(11).fill(report({})))
    expect(logged).toHaveLength(10)
    await send([report({})])
    wait(59_999)
    await send([report({})])
    expect(logged).toHaveLength(10)
    wait(1)
    await send(Array(11).fill(report({})))
    expect(logged).toHaveLength(20)
  })

  test.each([[null], [{}], [[{}]], [[{ body: { lineNumber: 'x' } }]]])(
    'of another shape are not logged: %j',
    async (reports) => {
      const { send, logged } = open()
      expect(await send(reports)).toBe(204)
      expect(logged).toEqual([])
    },
  )

  test('of another type are refused', async () => {
    const { ask } = open()
    expect((await readProblem(await ask('/bff/csp-report', { body: [] }))).status).toBe(415)
  })
})
