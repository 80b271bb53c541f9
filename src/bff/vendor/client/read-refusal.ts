import { type Outcome, type RouteForbidden, waitKind } from '#bff/vendor/quota/settled-call.ts'
import { RATE_HEADERS } from '#contract/upstream/headers.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import type { ApiKey } from './api-key.ts'
import { vendorNowMs } from './rate-facts.ts'
import { readRefusalBody } from './read-refusal-body.ts'
import { readRetryWait, readStatedWait } from './retry-wait.ts'
import type { TransportResponse } from './transport.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'
import type { UpstreamParams, UpstreamRouteName } from './upstream-target.ts'

export type RefusedQuestion = { name: UpstreamRouteName; params: UpstreamParams }
type Refusal = { answer: { error: UpstreamError }; learned: Outcome }

/** What any answer but a 200 means: for whoever waits, and for later calls. */
export async function readRefusal(
  { name, params }: RefusedQuestion,
  response: TransportResponse,
  { key, nowMs }: { key: ApiKey; nowMs: number },
): Promise<Refusal> {
  const { set } = UPSTREAM_ROUTES[name]
  const { status, header } = response
  const isAboutRecord = (params.id ?? params.country) !== undefined
  const isPost = params.body !== undefined
  const { isVendors, words, retryAfter } = await readRefusalBody(response, key)
  const end = (kind: UpstreamErrorKind, learned: Outcome, retryAtMs: number | null = null): Refusal => ({
    answer: { error: new UpstreamError({ set, kind, reason: `status ${status}`, words, retryAtMs }) },
    learned,
  })

  switch (status) {
    case 400:
      return end(isAboutRecord ? 'not_found' : 'rejected', { kind: 'refused' })
    case 401:
      return isVendors ? end('key_invalid', { kind: 'key_refused' }) : end('unreadable', { kind: 'failed' })
    case 403:
      if (!isVendors) return end('unavailable', { kind: 'failed' })
      if (isAboutData(name, params)) return end('forbidden', { kind: 'refused' })
      return isList(name)
        ? end('set_forbidden', { kind: 'set_forbidden', words })
        : end('route_forbidden', routeForbidden(name, words))
    case 404:
      if (isListStart(name, params)) return end('set_forbidden', { kind: 'set_forbidden', words: null })
      return end(isAboutRecord ? 'not_found' : 'unreadable', { kind: 'refused' })
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
    case 413:
    case 415:
      return end('rejected', { kind: 'refused' })
    default:
      // It may have been done all the same.
      if (isPost && (status < 300 || status >= 500)) return end('unclear', { kind: 'failed' })
      return end(status >= 500 ? 'unavailable' : 'unreadable', { kind: 'failed' })
  }
}

/** v1 answers 403 also to what lies outside the plan's data window: that says nothing of the set as a whole. */
function isAboutData(name: UpstreamRouteName, { query }: UpstreamParams): boolean {
  return name === 'readThreat' || (name === 'listThreats' && (query?.since ?? query?.cursor) !== undefined)
}

/** Of the lists, which stand for their sets. */
function isList(name: UpstreamRouteName): boolean {
  return name === 'listThreats' || name === 'listFeed'
}

/**
 * Any other route may be refused alone. The earlier set knows one reason to refuse, that the plan has no access to it at
 * all; v1 has others, and its list is always asked by the reader of the window.
 */
function routeForbidden(route: UpstreamRouteName, words: string | null): RouteForbidden {
  return { kind: 'route_forbidden', route, words, mayBeOfSet: UPSTREAM_ROUTES[route].set === 'earlier' }
}

/** A list that is not there is a route set that the source does not have; a place in it can be gone alone. */
function isListStart(name: UpstreamRouteName, { query }: UpstreamParams): boolean {
  return isList(name) && !query?.cursor && !query?.offset
}
