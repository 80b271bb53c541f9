import { RATE_HEADERS } from '#contract/upstream/headers.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import type { ApiKey } from './api-key.ts'
import { vendorNowMs } from './rate-facts.ts'
import { readRefusalBody } from './read-refusal-body.ts'
import { readRetryWait } from './retry-wait.ts'
import type { SetGate } from './set-gate.ts'
import type { TransportResponse } from './transport.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'
import type { UpstreamParams, UpstreamRouteName } from './upstream-target.ts'

/** The minute's window never asks for so long a wait. */
const DAILY_FROM_MS = 3_600_000

export type RefusedCall = {
  name: UpstreamRouteName
  params: UpstreamParams
  response: TransportResponse
  key: ApiKey
  gate: SetGate
  nowMs: number
}

/** What any answer but a 200 means, noted where later calls are admitted. */
export async function readRefusal(call: RefusedCall): Promise<UpstreamError> {
  const { name, params, response, key, gate, nowMs } = call
  const { status, header } = response
  const isAboutRecord = params.id !== undefined
  const { words, retryAfter } = await readRefusalBody(response, key)
  const fail = (kind: UpstreamErrorKind) =>
    new UpstreamError({ set: UPSTREAM_ROUTES[name].set, kind, reason: `status ${status}`, words })

  switch (status) {
    case 400:
      return fail(isAboutRecord ? 'not_found' : 'rejected')
    case 401:
      key.refuse()
      return fail('key_invalid')
    case 403:
      key.approve()
      return isAboutData(name, params) ? fail('forbidden') : gate.forbid(words)
    case 404:
      key.approve()
      return fail(isAboutRecord ? 'not_found' : 'unreadable')
    case 429: {
      const waitMs = readRetryWait({
        retryAfterField: retryAfter,
        retryAfterHeader: header('retry-after'),
        resetHeader: header(RATE_HEADERS.reset),
        message: words,
        nowMs: vendorNowMs(header, nowMs),
      })
      return gate.block(waitMs > DAILY_FROM_MS ? 'daily_limit_reached' : 'rate_limited', waitMs)
    }
    default:
      return fail(status >= 500 ? 'unavailable' : 'unreadable')
  }
}

/** v1 answers 403 also to what lies outside the plan's data window: that says nothing of the set as a whole. */
function isAboutData(name: UpstreamRouteName, { query }: UpstreamParams): boolean {
  return name === 'readThreat' || (name === 'listThreats' && (query?.since ?? query?.cursor) !== undefined)
}
