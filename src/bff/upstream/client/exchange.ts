import type { Clock } from '#bff/time/clock.ts'
import type { Outcome } from '#bff/upstream/quota/record-outcome.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import type { ApiKey } from './api-key.ts'
import { isHtml, readJsonBody, textsIn } from './json-text.ts'
import { type RateFacts, readRateFacts } from './rate-facts.ts'
import { readRefusal } from './read-refusal.ts'
import { discard, TransportError, type TransportRequest, type TransportResponse } from './transport.ts'
import type { UpstreamParams, UpstreamRouteName } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

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

/** Makes one call. Failures of the source do not throw. */
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
