import { errors } from 'jose'
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  beginFlow,
  endedFlowCookie,
  flowCookie,
  flowCookieName,
  type OidcFlow,
  readFlow,
} from './oidc-flow.ts'
import { notBegunHere, problemOf } from './oidc-problems.ts'

const SECRET = 'a secret that signs what browsers keep'
const MINUTES_MS = 60_000

afterEach(() => vi.useRealTimers())

describe('a sign-in that was begun', () => {
  const set = (flow: OidcFlow) => flowCookie(false, SECRET, flow)
  const read = (cookie: string | null) => readFlow([SECRET], cookie)
  const tokenOf = (cookie: string) => cookie.slice(flowCookieName(false).length + 1, cookie.indexOf(';'))

  test('is known again by its cookie, with the way back', () => {
    const flow = beginFlow('/threats?q=a')
    expect(read(tokenOf(set(flow)))).toEqual(flow)
    expect(flow.redirect).toBe('/threats?q=a')
    expect(new Set([flow.state, flow.nonce, flow.verifier]).size).toBe(3)
    expect(beginFlow(null).redirect).toBeNull()
  })

  test('knows for which session it was begun, where it links an account', () => {
    expect(read(tokenOf(set(beginFlow(null, { linkedSession: 's-1' }))))?.linkedSession).toBe('s-1')
    expect(beginFlow(null)).not.toHaveProperty('linkedSession')
  })

  test('is over after ten minutes', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-10T12:00:00Z'), toFake: ['Date'] })
    const cookie = tokenOf(set(beginFlow(null)))
    vi.setSystemTime(Date.now() + 10 * MINUTES_MS - 1)
    expect(read(cookie)).not.toBeNull()
    vi.setSystemTime(Date.now() + 1)
    expect(read(cookie)).toBeNull()
  })

  test.each([
    ['nothing', () => null],
    ['an empty one', () => ''],
    ['no signature', (value: string) => value.split('.')[0] ?? ''],
    ['half a signature', (value: string) => value.slice(0, -10)],
    ['another signature', (value: string) => `${value.split('.')[0]}.${'A'.repeat(43)}`],
    ['another text', (value: string) => `e30${value}`],
    ["another secret's", () => tokenOf(flowCookie(false, 'another secret', beginFlow(null)))],
  ])('is not known by %s', (_, change) => {
    expect(read(change(tokenOf(set(beginFlow(null)))))).toBeNull()
  })
})

describe('the cookie of a sign-in', () => {
  test('is for this host and for HTTP alone, and ends with the sign-in', () => {
    const name = flowCookieName(true)
    const attributes = '; Path=/; HttpOnly; SameSite=Strict; Secure'
    expect(name).toBe('__Host-Http-sso')
    expect(flowCookie(true, SECRET, beginFlow(null))).toMatch(
      new RegExp(`^${name}=[\\w-]+\\.[\\w-]{43}${attributes}; Max-Age=600$`),
    )
    expect(endedFlowCookie(true)).toBe(`${name}=${attributes}; Max-Age=0`)
  })

  test('has on plain loopback what it can have there', () => {
    expect(endedFlowCookie(false)).toBe('lantern_sso=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
  })
})

describe('reports a failure at the provider', () => {
  const coded = (code: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { code })
  const denied = new URLSearchParams({ error: 'access_denied' })
  const gone = { cause: { error: 'invalid_grant' }, response: new Response(null, { status: 400 }) }

  test.each([
    ['a no', new AuthorizationResponseError('x', { cause: denied }), /did not let you in/],
    ['a code that is no good any more', new ResponseBodyError('x', gone), /took its word back/],
    ['a clock that differs', coded('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'), /^The clocks .* differ/],
    ['a token that is none', coded('OAUTH_INVALID_RESPONSE'), /cannot accept/],
    ['an answer that says no', new Response(null, { status: 499 }), /cannot accept/],
    ['what is no error', 'OAUTH_TIMEOUT', /cannot accept/],
    ['a signature that is none', new errors.JWSSignatureVerificationFailed(), /cannot accept/],
    [
      'a signature that is none, whatever else failed',
      new errors.JWSInvalid('x', { cause: new TypeError('y') }),
      /cannot accept/,
    ],
  ])('as a failure: %s', (_, error, detail) => {
    expect(problemOf(error).problem).toMatchObject({
      code: 'sign_in_failed',
      detail: expect.stringMatching(detail),
    })
  })

  test.each([
    ['a failed connection', new TypeError('fetch failed')],
    ['no answer in time', coded('OAUTH_TIMEOUT')],
    ['either, behind another error', coded('OAUTH_X', new Error('y', { cause: new TypeError('z') }))],
    ['a server that is down', new Response(null, { status: 500 })],
    ['no keys in time', new errors.JWKSTimeout()],
    ['an answer in the place of keys', new errors.JOSEError('no 200 OK')],
    ['one that is down, behind an error', coded('OAUTH_X', new Response(null, { status: 503 }))],
  ])('as something that may pass: %s', (_, error) => {
    expect(problemOf(error).problem).toMatchObject({
      code: 'sign_in_unavailable',
      detail: expect.stringMatching(/does not answer/),
    })
  })

  test('with another sign-in method, if there is one', () => {
    const [withPasswords, without] = [true, false].map(
      (has) => problemOf(new TypeError('x'), has).problem.detail,
    )
    expect(withPasswords).toBe(
      'The identity provider does not answer. Try again in a minute, or sign in with email and password.',
    )
    expect(without).toBe(
      'The identity provider does not answer. Try again in a minute, or ask whoever runs this Lantern: the command break-glass lets an admin in.',
    )
    expect(problemOf(new TypeError('x')).problem.detail).toBe(withPasswords)
  })

  test('as not begun here, where it was not', () => {
    expect(notBegunHere().problem).toMatchObject({
      code: 'sign_in_failed',
      detail: expect.stringMatching(/not begun in this browser, or more than 10 minutes ago/),
    })
  })
})
