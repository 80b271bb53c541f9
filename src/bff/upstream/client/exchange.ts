import type { Clock } from '#bff/time/clock.ts'
import { type Outcome, type RouteForbidden, waitKind } from '#bff/upstream/quota/record-outcome.ts'
import { RATE_HEADERS } from '#contract/upstream/headers.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import type { ApiKey } from './api-key.ts'
import { type RateFacts, readRateFacts, vendorNowMs } from './rate-facts.ts'
import { readRetryWait, readStatedWait } from './retry-wait.ts'
import {
  discard,
  readBody,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts'
import type { UpstreamParams, UpstreamRouteName } from './upstream.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const BODY_MAX_BYTES = 8 * 1024 * 1024

export type UpstreamRequest = {
  name: UpstreamRouteName
  params: UpstreamParams
  path: string
  /** JSON; null for what carries none. */
  body: string | null
}

/** The result of one exchange: a body or an error for the reader, and an outcome for the governor. */
export type Exchange = {
  answer: { body: unknown } | { error: UpstreamError }
  budgetOutcome: Outcome
  status: number | null
  facts: RateFacts | null
}

export type ExchangeOptions = {
  key: ApiKey
  clock: Clock
  /** Sends the request and returns at the head of its answer. */
  send: (request: Omit<TransportRequest, 'signal'>) => Promise<TransportResponse>
}

/** Makes one call. Failures of the vendor do not throw. */
export async function exchange(
  request: UpstreamRequest,
  { key, clock, send }: ExchangeOptions,
): Promise<Exchange> {
  const { set, method, status: success } = UPSTREAM_ROUTES[request.name]
  let response: TransportResponse | null = null
  let facts: RateFacts | null = null
  try {
    response = await send({
      path: request.path,
      method,
      body: request.body,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        authorization: key.authorization,
        'user-agent': 'lantern',
        ...(request.body !== null && { 'content-type': 'application/json' }),
      },
    })
    const { status, header } = response
    const nowMs = clock.nowMs()
    facts = readRateFacts(header, nowMs)
    if (status !== success && status !== 200) {
      return { ...(await readRefusal(request, response, { key, nowMs })), status, facts }
    }
    return {
      answer: { body: await readAnswer(response, key) },
      budgetOutcome: { kind: 'answered' },
      status,
      facts,
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    const kind = method !== 'GET' && error.mayHaveArrived ? 'unclear' : error.kind
    const failure = new UpstreamError({ set, kind, reason: error.message })
    return {
      answer: { error: failure },
      budgetOutcome: { kind: 'failed', why: error.kind, connectionFault: error.connectionFault },
      status: response?.status ?? null,
      facts,
    }
  }
}

/** Returns the outcome in the call ledger. */
export function ledgerOutcome({ answer, status }: Exchange): 'answered' | 'refused_by_vendor' | 'failed' {
  if ('body' in answer || status === 404) return 'answered'
  return status !== null && status >= 400 && status < 500 ? 'refused_by_vendor' : 'failed'
}

async function readAnswer(response: TransportResponse, key: ApiKey): Promise<unknown> {
  if (isHtml(response)) {
    discard(response)
    throw new TransportError('web_page', 'HTML by its content type')
  }
  const body = await readJsonBody(response, BODY_MAX_BYTES)
  // Only now: JSON can write any character in other ones.
  if (key.isIn(textsIn(body).join('\n'))) throw new TransportError('unreadable', 'the answer repeats the key')
  return body
}

const REFUSAL_MAX_BYTES = 64 * 1024
const WORDS_MAX_LENGTH = 300
// Control, bidi and invisible characters: these words stand in sentences of ours.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

type RefusedRequest = { name: UpstreamRouteName; params: UpstreamParams }
type RefusalBody = {
  /** The answer is the vendor's own, not a page of something in between, such as a firewall. */
  isVendors: boolean
  words: string | null
  retryAfter: unknown
}
type Refusal = { answer: { error: UpstreamError }; budgetOutcome: Outcome }

/** Reads any answer but a 200, for the reader and for later calls. */
async function readRefusal(
  { name, params }: RefusedRequest,
  response: TransportResponse,
  { key, nowMs }: { key: ApiKey; nowMs: number },
): Promise<Refusal> {
  const { set } = UPSTREAM_ROUTES[name]
  const { status, header } = response
  const isAboutRecord = (params.id ?? params.country) !== undefined
  const isChange = UPSTREAM_ROUTES[name].method !== 'GET'
  const isWebPage = isHtml(response)
  const { isVendors, words, retryAfter } = await readRefusalBody(response, key)
  const end = (
    kind: UpstreamErrorKind,
    budgetOutcome: Outcome,
    retryAtMs: number | null = null,
  ): Refusal => ({
    answer: {
      error: new UpstreamError({ set, route: name, kind, reason: `status ${status}`, words, retryAtMs }),
    },
    budgetOutcome,
  })

  const fail = (why: 'unavailable' | 'unreadable' | 'web_page', kind: UpstreamErrorKind = why) =>
    end(kind, { kind: 'failed', why })

  switch (status) {
    case 400:
      if (isChange) return end('rejected', { kind: 'refused' })
      if (params.id !== undefined) return end('id_refused', { kind: 'refused' })
      return end(isAboutRecord ? 'not_found' : 'rejected', { kind: 'refused' })
    case 401:
      if (isVendors) return end('key_refused', { kind: 'key_refused', words })
      return fail(isWebPage ? 'web_page' : 'unreadable')
    case 403:
      if (!isVendors) return fail(isWebPage ? 'web_page' : 'unavailable')
      if (isAboutData(name, params)) return end('forbidden', { kind: 'refused' })
      return isList(name)
        ? end('set_forbidden', { kind: 'set_forbidden', words })
        : end('route_forbidden', routeForbidden(name, words))
    case 404:
    case 410:
      if (isListStart(name, params))
        return end('set_absent', { kind: 'set_forbidden', words: null, isAbsent: true })
      if (isAboutRecord) return end('not_found', { kind: 'refused' })
      if (isList(name)) return end('unreadable', { kind: 'refused' })
      return end('route_absent', { ...routeForbidden(name, null), isAbsent: true, mayBeOfSet: false })
    case 429: {
      const hints = {
        retryAfterField: retryAfter,
        retryAfterHeader: header('retry-after'),
        resetHeader: header(RATE_HEADERS.reset),
        message: words,
        nowMs: vendorNowMs(header, nowMs),
      }
      const waitMs = readRetryWait(hints)
      const isStated = readStatedWait(hints) !== null
      return end(waitKind(waitMs), { kind: 'told_to_wait', waitMs, isStated }, nowMs + waitMs)
    }
    case 409:
    case 413:
    case 415:
      return end('rejected', { kind: 'refused' })
    default:
      // It may have been done all the same.
      if (isChange && (status < 300 || status >= 500)) return fail('unavailable', 'unclear')
      if (status >= 500) return fail('unavailable')
      // A redirect is not followed: the key goes to no other address.
      return fail(status >= 300 && status < 400 ? 'web_page' : 'unreadable')
  }
}

/** v1 answers 403 also to what lies outside the plan's data window: that says nothing of the set as a whole. */
function isAboutData(
  name: UpstreamRouteName,
  { query, isAboutData: isDeclared = false }: UpstreamParams,
): boolean {
  return (
    isDeclared ||
    name === 'readThreat' ||
    (name === 'listThreats' && (query?.since ?? query?.cursor) !== undefined)
  )
}

/** A list's answer applies to its whole set. */
function isList(name: UpstreamRouteName): boolean {
  return name === 'listThreats' || name === 'listFeed'
}

/**
 * Any other route may be refused alone. The earlier set knows one reason to refuse, that the plan has no access to it at
 * all; v1 has others, and its list is always read by the sync.
 */
function routeForbidden(route: UpstreamRouteName, words: string | null): RouteForbidden {
  return { kind: 'route_forbidden', route, words, mayBeOfSet: UPSTREAM_ROUTES[route].set === 'earlier' }
}

/** A list that is not there is a route set that the vendor does not have; a cursor of it can be gone alone. */
function isListStart(name: UpstreamRouteName, { query }: UpstreamParams): boolean {
  return isList(name) && !query?.cursor && !query?.offset
}

/** Reads the body of a failure as far as possible. Words that hold a piece of the key are dropped. */
async function readRefusalBody(response: TransportResponse, key: ApiKey): Promise<RefusalBody> {
  const body = await readJsonBody(response, REFUSAL_MAX_BYTES).catch(() => null)
  const fields = new Map<string, unknown>(typeof body === 'object' && body ? Object.entries(body) : [])
  const reported = [fields.get('error'), fields.get('message')].find((text) => typeof text === 'string')
  const words = cleanWords(reported ?? '')
  return {
    isVendors: reported !== undefined,
    words: words === '' || key.isIn(words) ? null : words,
    retryAfter: fields.get('retry_after') ?? fields.get('retryAfter'),
  }
}

function cleanWords(text: string): string {
  return text.toWellFormed().replace(UNSAFE, ' ').trim().slice(0, WORDS_MAX_LENGTH).toWellFormed()
}

const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const DEPTH_MAX = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENERS = new Set([0x5b, 0x7b])
const CLOSERS = new Set([0x5d, 0x7d])

/** Captive portals and firewalls send HTML. Vendors give their JSON many content types, or none. */
function isHtml({ header }: TransportResponse): boolean {
  return HTML_TYPE.test(header('content-type') ?? '')
}

/** The JSON that a body holds, of a sane depth: deeper documents parse, but break what walks them. */
async function readJsonBody(response: TransportResponse, maxBytes: number): Promise<unknown> {
  const text = new TextDecoder().decode(await readBody(response, maxBytes))
  if (isTooDeep(text)) throw new TransportError('unreadable', `nested deeper than ${DEPTH_MAX}`)
  try {
    return JSON.parse(text)
  } catch {
    const isMarkup = text.trimStart().startsWith('<')
    throw new TransportError(isMarkup ? 'web_page' : 'unreadable', 'not JSON')
  }
}

/** Every text of a parsed document, the names of members and the digits of numbers with them. */
function textsIn(document: unknown): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'number') texts.push(String(value))
    else if (Array.isArray(value)) value.forEach(collect)
    else if (typeof value === 'object' && value) {
      for (const [name, member] of Object.entries(value)) {
        texts.push(name)
        collect(member)
      }
    }
  }
  collect(document)
  return texts
}

/** Before parsing: a body of brackets alone takes seconds to parse. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (OPENERS.has(code)) {
      depth += 1
      if (depth > DEPTH_MAX) return true
    } else if (CLOSERS.has(code)) depth -= 1
  }
  return false
}
