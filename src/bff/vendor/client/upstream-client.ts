import { createHash } from 'node:crypto'
import type { Pool } from 'undici'
import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import { perGeneration } from '#bff/vendor/generation.ts'
import { Governor } from '#bff/vendor/quota/governor.ts'
import type { ClosedSets } from '#contract/bff/feed-plan.ts'
import type { SetState, Source } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import type { Database } from '#database/database.ts'
import { ApiKey } from './api-key.ts'
import type { Caller } from './caller.ts'
import { type Exchange, exchange, type UpstreamRequest } from './exchange.ts'
import { type KeyState, keyStateOf, NO_KEY, worstKeyState } from './key-state.ts'
import { StoredAnswers } from './stored-answers.ts'
import { createPool, send, TIMEOUTS, type Timeouts } from './transport.ts'
import { UpstreamError } from './upstream-error.ts'
import {
  type UpstreamParams,
  type UpstreamRouteName,
  upstreamBody,
  upstreamTarget,
} from './upstream-target.ts'

/** A failed call is repeated once, where calls are not scarce and whoever waits still has time. */
const RETRY_LEAST_SHARE = 0.2
const RETRY_PAUSE_MS = 200
const RETRY_JITTER_MS = 600
const RETRY_LEAST_TIME_MS = 3_000

/** Longer than any call takes: those under way end on the key that they began with. */
const LEAVE_AFTER_MS = 30_000

export type UpstreamKeys = {
  apiKey?: string | undefined
  /** Where the earlier route set has a key of its own. */
  earlierApiKey?: string | undefined
}

export type UpstreamOptions = {
  url: string
  /** As they are now: read at each call. */
  keys(): UpstreamKeys
  /** A number that rises when the keys or their plan change; constant unless given. */
  generation?: () => number
  /** Where every process that has the key counts its calls. */
  database: Database
  clock: Clock
  log: Log
  timeouts?: Timeouts
  /** The plan is another one than before: what was read under it may not be shown any more. */
  onPlanChange?: (() => void) | undefined
}

export type Upstream = {
  /** The only origin that is called, and the only one that may have a private address. */
  origin: string
  /** A number; when it changes, what was read before is not shown any more. */
  generation(): number
  /**
   * Makes one call, unless its outcome is known without: gives the parsed JSON or throws an `UpstreamError`. A failed GET
   * may be repeated once, a POST never: one that may have been done ends as `unclear`.
   */
  call(name: UpstreamRouteName, params: UpstreamParams, caller: Caller): Promise<unknown>
  /** The sets that nothing so far forbids. */
  permittedSets(): RouteSet[]
  /** Why the others cannot be called. */
  closedSets(): ClosedSets
  /** What answers so far have reported of the key and of the source, to any process. */
  state(): Promise<Pick<Source, 'isDemo' | 'isOwnService' | 'key' | 'sets' | 'trialExpiresAt'>>
  /** The state of each set's key, as last read. */
  keyStates(): Record<RouteSet, KeyState>
  close(): Promise<void>
}

type Line = { key: ApiKey; governor: Governor }
type Lines = Readonly<Record<RouteSet, Line | null>>
/** The keys of one generation, and the connections that carry them. */
type Client = { pool: Pool; lines: Lines; plans: Map<Governor, number> }
/** What one call is made with, from its beginning to its end. */
type Way = Omit<Client, 'lines'> & { line: Line }

/** The one client of the vendor: it alone has the keys and the connections. */
export function createUpstream({ url, timeouts = TIMEOUTS, ...options }: UpstreamOptions): Upstream {
  const { origin } = new URL(url)
  const { keys, generation = () => 0, database, clock, log } = options
  const storedAnswers = new StoredAnswers({ database, clock, log })
  const pools = new Set<Pool>()
  const client = perGeneration(generation, (): Client => {
    for (const pool of pools) leave(pool)
    const pool = createPool(origin, { timeouts })
    pools.add(pool)
    const { apiKey, earlierApiKey } = keys()
    const lines = { v1: createLine('v1', apiKey), earlier: createLine('earlier', earlierApiKey || apiKey) }
    return { pool, lines, plans: new Map() }
  })

  function leave(pool: Pool): void {
    const end = () => {
      pools.delete(pool)
      void pool.destroy()
    }
    setTimeout(end, LEAVE_AFTER_MS).unref()
  }

  function createLine(set: RouteSet, token: string | undefined): Line | null {
    if (!token) return null
    const key = new ApiKey(token)
    const keyFingerprint = key.fingerprintAt(origin)
    return { key, governor: new Governor({ database, clock, log, keyFingerprint, set }) }
  }

  /** One call: counted before it goes out, its outcome recorded afterwards. */
  async function attempt(
    request: UpstreamRequest,
    { pool, plans, line: { key, governor } }: Way,
    { caller, leastShare, totalMs }: { caller: Caller; leastShare: number; totalMs: number },
  ): Promise<Exchange> {
    const { set } = UPSTREAM_ROUTES[request.name]
    const callId = await governor.admit({ route: request.name, caller, leastShare })
    const startedMs = performance.now()
    const signal = AbortSignal.timeout(totalMs)
    const result = await exchange(request, {
      key,
      clock,
      send: (request) => send(pool, { ...request, signal }),
    })
    const durationMs = Math.round(performance.now() - startedMs)
    // Broken off by ourselves: that says nothing of the source. What a POST has done is unclear all the same.
    if (pool.destroyed && request.body === null)
      throw new UpstreamError({ set, kind: 'unavailable', reason: 'Lantern is stopping' })
    const { answer, budgetOutcome, status, facts } = result
    await governor.settle(callId, {
      budgetOutcome,
      facts,
      status,
      durationMs,
      outcome: ledgerOutcome(result),
    })
    noticePlan(governor, plans)
    if ('error' in answer) {
      log.warn('upstream-call-failed', { route: request.name, reason: answer.error.message, durationMs })
    }
    return result
  }

  /** A repeat that is not worth its call leaves the failure as it was. */
  async function retry(request: UpstreamRequest, way: Way, caller: Caller, totalMs: number) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS + Math.random() * RETRY_JITTER_MS))
    try {
      return await attempt(request, way, { caller, leastShare: RETRY_LEAST_SHARE, totalMs })
    } catch (error) {
      if (error instanceof UpstreamError) return null
      throw error
    }
  }

  function noticePlan(governor: Governor, plans: Client['plans']): void {
    const { plan } = governor
    const before = plans.get(governor)
    if (plan !== null) plans.set(governor, plan)
    if (before !== undefined && plan !== null && plan !== before) options.onPlanChange?.()
  }

  async function readSet(set: RouteSet, { lines, plans }: Client): Promise<SetState> {
    const line = lines[set]
    if (!line) return NO_KEY
    const state = await line.governor.readState()
    noticePlan(line.governor, plans)
    return state
  }

  /** One call, and one more where that is worth it. */
  async function callWithRetry(request: UpstreamRequest, way: Way, caller: Caller): Promise<unknown> {
    const startedMs = performance.now()
    const first = await attempt(request, way, { caller, leastShare: 0, totalMs: timeouts.totalMs })
    if ('body' in first.answer) return first.answer.body

    const restMs = timeouts.totalMs - (performance.now() - startedMs) - RETRY_PAUSE_MS - RETRY_JITTER_MS
    const mayRepeat = request.body === null && first.answer.error.kind === 'unavailable'
    const isWorthwhile = mayRepeat && restMs >= RETRY_LEAST_TIME_MS
    const { answer } = (isWorthwhile && (await retry(request, way, caller, Math.floor(restMs)))) || first
    if ('body' in answer) return answer.body
    throw answer.error
  }

  /** A request of another key or plan is another request. */
  async function storedName(request: UpstreamRequest, { key, governor }: Line, moment = ''): Promise<Buffer> {
    if (governor.plan === null) await governor.readState()
    return createHash('sha256')
      .update(key.fingerprintAt(origin))
      .update(JSON.stringify([governor.plan ?? 0, request.path, moment]))
      .digest()
  }

  return {
    origin,
    generation,
    async call(name, params, caller) {
      const request = { name, params, path: upstreamTarget(name, params), body: upstreamBody(name, params) }
      const { set } = UPSTREAM_ROUTES[name]
      const { lines, ...rest } = client()
      const line = lines[set]
      if (!line) throw new UpstreamError({ set, kind: 'key_missing', reason: 'no key is set' })
      const way = { ...rest, line }
      if (!caller.stored || request.body !== null) return callWithRetry(request, way, caller)
      const { stored, ...plainCaller } = caller
      const named = await storedName(request, line, stored.moment)
      return storedAnswers.read(named, stored, () => callWithRetry(request, way, plainCaller))
    },
    permittedSets() {
      const { lines } = client()
      return ROUTE_SETS.filter((set) => closureOf(set, lines) === undefined)
    },
    closedSets() {
      const { lines } = client()
      return { v1: closureOf('v1', lines), earlier: closureOf('earlier', lines) }
    },
    async state() {
      const current = client()
      const { lines } = current
      const [v1, earlier] = await Promise.all([readSet('v1', current), readSet('earlier', current)])
      const governors = [lines.v1?.governor, lines.earlier?.governor].filter((governor) => governor != null)
      const latest = latestOf(governors)?.known
      return {
        isDemo: latest?.isDemo ?? false,
        isOwnService: latest?.isOwnService ?? false,
        key: worstKeyState(governors),
        sets: { v1, earlier },
        trialExpiresAt: lines.v1?.governor.known.trialExpiresAt ?? null,
      }
    },
    keyStates() {
      const { v1, earlier } = client().lines
      return { v1: keyStateOf(v1?.governor), earlier: keyStateOf(earlier?.governor) }
    },
    async close() {
      await Promise.all([...pools].map((pool) => pool.destroy()))
    },
  }
}

function closureOf(set: RouteSet, lines: Lines): ClosedSets[RouteSet] {
  const line = lines[set]
  if (!line) return 'key_missing'
  if (isKeyRefused(line, lines)) return 'key_refused'
  return line.governor.mayPermit ? undefined : 'plan'
}

/** One key may serve both sets, and each governor learns of a refusal at its own time. */
function isKeyRefused({ key }: Line, lines: Lines): boolean {
  return ROUTE_SETS.some((other) => {
    const line = lines[other]
    return line?.governor.isKeyRefused && line.key.authorization === key.authorization
  })
}

/** The one that was answered last: what the source holds may have changed since the other was. */
function latestOf(governors: readonly Governor[]): Governor | undefined {
  const answeredAt = ({ known }: Governor) => known.answeredAtMs ?? 0
  return governors.toSorted((a, b) => answeredAt(b) - answeredAt(a))[0]
}

function ledgerOutcome({ answer, status }: Exchange): 'answered' | 'refused_by_vendor' | 'failed' {
  if ('body' in answer || status === 404) return 'answered'
  return status !== null && status >= 400 && status < 500 ? 'refused_by_vendor' : 'failed'
}
