import type { Log } from '#bff/log.ts'
import type { Source } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import { ApiKey } from './api-key.ts'
import type { Clock } from './clock.ts'
import { parseShallowJson } from './json-text.ts'
import { readRateFacts } from './rate-facts.ts'
import { readRefusal } from './read-refusal.ts'
import { type Priority, SetGate } from './set-gate.ts'
import {
  createPool,
  discard,
  readBody,
  send,
  TIMEOUTS,
  type Timeouts,
  TransportError,
  type TransportResponse,
} from './transport.ts'
import { UpstreamError } from './upstream-error.ts'
import { type UpstreamParams, type UpstreamRouteName, upstreamTarget } from './upstream-target.ts'

const BODY_MAX_BYTES = 8 * 1024 * 1024
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

export type UpstreamOptions = {
  url: string
  apiKey?: string | undefined
  /** Where the earlier route set has a key of its own. */
  earlierApiKey?: string | undefined
  clock: Clock
  log: Log
  timeouts?: Timeouts
}

export type Upstream = {
  /** The only origin that is called, and the only one that may have a private address. */
  origin: string
  /** Makes one call, unless its outcome is known without: gives the parsed JSON or throws an `UpstreamError`. */
  call(name: UpstreamRouteName, params: UpstreamParams, priority: Priority): Promise<unknown>
  /** The sets that nothing so far forbids. */
  permittedSets(): RouteSet[]
  /** What answers so far told of the key and of the source. */
  state(): Pick<Source, 'isDemo' | 'key' | 'sets' | 'trialExpiresAt'>
  close(): Promise<void>
}

/** The one client of the vendor: it alone holds the key and the connections. */
export function createUpstream({ url, clock, log, timeouts = TIMEOUTS, ...keys }: UpstreamOptions): Upstream {
  const { origin } = new URL(url)
  const pool = createPool(origin, { timeouts })
  const key = keys.apiKey ? new ApiKey(keys.apiKey) : null
  const earlierKey = keys.earlierApiKey ? new ApiKey(keys.earlierApiKey) : key
  const gates: Readonly<Record<RouteSet, SetGate>> = {
    v1: new SetGate({ set: 'v1', key, clock }),
    earlier: new SetGate({ set: 'earlier', key: earlierKey, clock }),
  }
  let isDemo = false
  let trialExpiresAt: string | null = null

  async function exchange(name: UpstreamRouteName, params: UpstreamParams, key: ApiKey): Promise<unknown> {
    const response = await send(pool, {
      path: upstreamTarget(name, params),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        authorization: key.authorization,
        'user-agent': 'lantern',
      },
      signal: AbortSignal.timeout(timeouts.totalMs),
    })
    const { set } = UPSTREAM_ROUTES[name]
    const facts = readRateFacts(response.header, clock.nowMs())
    gates[set].learn(facts)
    if (response.status !== 200) {
      throw await readRefusal({ name, params, response, key, gate: gates[set], nowMs: clock.nowMs() })
    }

    const body = await readJson(response, key)
    key.approve()
    gates[set].permit()
    isDemo = facts.isDemo
    if (set === 'v1') trialExpiresAt = facts.trialExpiresAt
    return body
  }

  return {
    origin,
    async call(name, params, priority) {
      const { set } = UPSTREAM_ROUTES[name]
      const key = gates[set].admit(priority)
      const startedMs = clock.elapsedMs()
      try {
        return await exchange(name, params, key)
      } catch (error) {
        const failure = toUpstreamError(error, set)
        const durationMs = Math.round(clock.elapsedMs() - startedMs)
        log.warn('upstream-call-failed', { route: name, reason: failure.message, durationMs })
        throw failure
      }
    },
    permittedSets: () => ROUTE_SETS.filter((set) => gates[set].mayPermit),
    state: () => ({
      isDemo,
      key: keyState([key, earlierKey]),
      sets: { v1: gates.v1.state(), earlier: gates.earlier.state() },
      trialExpiresAt,
    }),
    close: () => pool.destroy(),
  }
}

async function readJson(response: TransportResponse, key: ApiKey): Promise<unknown> {
  if (!JSON_TYPE.test(response.header('content-type') ?? '')) {
    discard(response)
    throw new TransportError('unreadable', 'not JSON by its content type')
  }
  const text = new TextDecoder().decode(await readBody(response, BODY_MAX_BYTES))
  if (key.isIn(text)) throw new TransportError('unreadable', 'the answer repeats the key')
  try {
    return parseShallowJson(text)
  } catch {
    throw new TransportError('unreadable', 'not the JSON that it says it is')
  }
}

function toUpstreamError(error: unknown, set: RouteSet): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (error instanceof TransportError)
    return new UpstreamError({ set, kind: error.kind, reason: error.message })
  throw error
}

function keyState(keys: readonly (ApiKey | null)[]): Source['key'] {
  const states = keys.map((key) => key?.status ?? 'missing')
  return (['invalid', 'valid', 'unknown'] as const).find((state) => states.includes(state)) ?? 'missing'
}
