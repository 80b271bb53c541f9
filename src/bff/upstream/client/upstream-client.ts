import { createHash } from 'node:crypto'
import type { Pool } from 'undici'
import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import { Governor } from '#bff/upstream/quota/governor.ts'
import type { SetState } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { type DataVersion, formatDataVersion } from '#contract/upstream/data-version.ts'
import { CONTENT_EXTENSION, UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import type { Database } from '#database/database.ts'
import type { ForwardProxy } from '#server/forward-proxy.ts'
import { ApiKey } from './api-key.ts'
import type { Caller } from './caller.ts'
import {
  type Credential,
  type Credentials,
  closedSetsOf,
  findOffering,
  isOffered,
  keyStateOf,
  latestOf,
  listAfterAbsence,
  NO_KEY,
  worstKeyState,
} from './credentials.ts'
import { type Exchange, exchange, ledgerOutcome, type UpstreamRequest } from './exchange.ts'
import { ShownData } from './shown-data.ts'
import { StoredAnswers } from './stored-answers.ts'
import { createPool, send, TIMEOUTS, type Timeouts } from './transport.ts'
import type { Upstream, UpstreamParams, UpstreamRouteName } from './upstream.ts'
import { setAbsent, UpstreamError } from './upstream-error.ts'
import { upstreamBody, upstreamTarget } from './upstream-target.ts'

/** A failed call is repeated once, where calls are not scarce and whoever waits still has time. */
const RETRY_LEAST_SHARE = 0.2
const RETRY_PAUSE_MS = 200
const RETRY_JITTER_MS = 600
const RETRY_LEAST_TIME_MS = 3_000

/** Longer than any call takes: calls under way end with the key that they began with. */
const LEAVE_AFTER_MS = 30_000

export type UpstreamKeys = {
  apiKey?: string | undefined
  /** The earlier route set may have a key of its own. */
  earlierApiKey?: string | undefined
}

export type UpstreamOptions = {
  url: string
  /** Returns the current keys; runs at each call. */
  keys(): UpstreamKeys
  /** A number that rises when the keys or their plan change; constant unless given. */
  generation?: () => number
  /** Every process that has the key counts its calls in this database. */
  database: Database
  clock: Clock
  log: Log
  timeouts?: Timeouts
  /** The vendor is reached through this proxy; directly without it. */
  proxy?: ForwardProxy | undefined
  /** The plan is another one than before: what was read under it may not be shown any more. */
  onPlanChange?: (() => void) | undefined
  /** An answer names a later version of the data than is shown: every process applies it. */
  onNewData?: ((version: DataVersion) => Promise<void>) | undefined
}

/** The keys of one generation, and the connections that carry them. */
type Client = { pool: Pool; credentials: Credentials; plans: Map<Governor, number> }
/** A call uses these from its beginning to its end. */
type Connection = Omit<Client, 'credentials'> & { credential: Credential }

/** The one client of the vendor: it alone has the keys and the connections. */
export function createUpstream({ url, timeouts = TIMEOUTS, ...options }: UpstreamOptions): Upstream {
  const { origin } = new URL(url)
  const { keys, generation = () => 0, database, clock, log } = options
  const storedAnswers = new StoredAnswers({ database, clock, log })
  const shownData = new ShownData(options.onNewData ?? (async () => {}))
  const pools = new Set<Pool>()
  const client = perGeneration(generation, (): Client => {
    for (const pool of pools) leave(pool)
    const pool = createPool(origin, { timeouts, proxy: options.proxy })
    pools.add(pool)
    const { apiKey, earlierApiKey } = keys()
    const credentials = {
      v1: createCredential('v1', apiKey),
      earlier: createCredential('earlier', earlierApiKey || apiKey),
    }
    return { pool, credentials, plans: new Map() }
  })

  function leave(pool: Pool): void {
    const end = () => {
      pools.delete(pool)
      void pool.destroy()
    }
    setTimeout(end, LEAVE_AFTER_MS).unref()
  }

  function createCredential(set: RouteSet, token: string | undefined): Credential | null {
    if (!token) return null
    const key = new ApiKey(token)
    const keyFingerprint = key.fingerprintAt(origin)
    return { key, governor: new Governor({ database, clock, log, keyFingerprint, set }) }
  }

  /** Makes one call: it is counted before it is sent, and its outcome is recorded afterwards. */
  async function attempt(
    request: UpstreamRequest,
    { pool, plans, credential: { key, governor } }: Connection,
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
    // Broken off by ourselves: that says nothing of the vendor. What a POST has done is unclear all the same.
    if (pool.destroyed && request.body === null)
      throw new UpstreamError({ set, kind: 'unavailable', reason: 'Lantern is stopping' })
    const { answer, budgetOutcome, status, facts } = result
    await governor.complete(callId, {
      budgetOutcome,
      facts,
      status,
      durationMs,
      outcome: ledgerOutcome(result),
    })
    noticeSource(governor, plans)
    if ('error' in answer) {
      log.warn('upstream-call-failed', { route: request.name, reason: answer.error.message, durationMs })
    }
    return result
  }

  /** A second call that is not worth it leaves the failure as it was. */
  async function attemptAgain(
    request: UpstreamRequest,
    connection: Connection,
    caller: Caller,
    totalMs: number,
  ) {
    try {
      return await attempt(request, connection, { caller, leastShare: RETRY_LEAST_SHARE, totalMs })
    } catch (error) {
      if (error instanceof UpstreamError) return null
      throw error
    }
  }

  function noticeSource(governor: Governor, plans: Client['plans']): void {
    const { plan } = governor
    shownData.notice(governor.known.own?.data ?? null)
    const before = plans.get(governor)
    if (plan !== null) plans.set(governor, plan)
    if (before !== undefined && plan !== null && plan !== before) options.onPlanChange?.()
  }

  async function readSet(set: RouteSet, { credentials, plans }: Client): Promise<SetState> {
    const credential = credentials[set]
    if (!credential) return NO_KEY
    const state = await credential.governor.readState()
    noticeSource(credential.governor, plans)
    return state
  }

  /** Makes a call, and repeats it once if that may help. */
  async function callWithRetry(
    request: UpstreamRequest,
    connection: Connection,
    caller: Caller,
  ): Promise<unknown> {
    const startedMs = performance.now()
    const first = await attempt(request, connection, { caller, leastShare: 0, totalMs: timeouts.totalMs })
    if ('body' in first.answer) return first.answer.body

    const { error } = first.answer
    const restMs = timeouts.totalMs - (performance.now() - startedMs) - RETRY_PAUSE_MS - RETRY_JITTER_MS
    if (restMs < RETRY_LEAST_TIME_MS) throw error
    const list = listAfterAbsence(error, connection.credential)
    if (list) {
      await attemptAgain(list, connection, caller, Math.floor(restMs))
      throw connection.credential.governor.isAbsent ? setAbsent(error) : error
    }
    if (request.body !== null || error.kind !== 'unavailable') throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS + Math.random() * RETRY_JITTER_MS))
    const { answer } = (await attemptAgain(request, connection, caller, Math.floor(restMs))) ?? first
    if ('body' in answer) return answer.body
    throw answer.error
  }

  async function ask(name: UpstreamRouteName, params: UpstreamParams): Promise<Exchange['answer']> {
    const { answer, facts } = await askUncounted(name, params, { ...client(), clock, ...timeouts })
    shownData.notice(facts?.own?.data ?? null)
    return answer
  }

  /** A request of another key or plan, or of other data, is another request. */
  async function storedName(request: UpstreamRequest, { key, governor }: Credential): Promise<Buffer> {
    if (governor.plan === null) {
      await governor.readState()
      shownData.notice(governor.known.own?.data ?? null)
    }
    const { version } = shownData
    return createHash('sha256')
      .update(key.fingerprintAt(origin))
      .update(JSON.stringify([governor.plan ?? 0, version && formatDataVersion(version), request.path]))
      .digest()
  }

  return {
    origin,
    generation: () => generation() + shownData.changes,
    async call(name, params, caller) {
      const request = toRequest(name, params)
      const { set } = UPSTREAM_ROUTES[name]
      const { credentials, ...rest } = client()
      const credential = credentials[set]
      if (!credential) throw new UpstreamError({ set, kind: 'key_missing', reason: 'no key is set' })
      const connection = { ...rest, credential }
      if (!caller.stored || request.body !== null) return callWithRetry(request, connection, caller)
      const { stored, ...plainCaller } = caller
      const named = await storedName(request, credential)
      return storedAnswers.read(named, stored, () => callWithRetry(request, connection, plainCaller))
    },
    permittedSets() {
      const closed = closedSetsOf(client().credentials)
      return ROUTE_SETS.filter((set) => closed[set] === undefined)
    },
    closedSets: () => closedSetsOf(client().credentials),
    async state() {
      const current = client()
      const { credentials } = current
      const [v1, earlier] = await Promise.all([readSet('v1', current), readSet('earlier', current)])
      const governors = [credentials.v1?.governor, credentials.earlier?.governor].filter(
        (governor) => governor != null,
      )
      const latest = latestOf(governors)?.known
      return {
        isDemo: latest?.isDemo ?? false,
        isOwnService: latest?.own != null,
        connectionFault: governors.map(({ known }) => known.connectionFault).find((fault) => fault) ?? null,
        key: worstKeyState(governors),
        sets: { v1, earlier },
        trialExpiresAt: credentials.v1?.governor.known.trialExpiresAt ?? null,
      }
    },
    offers: (name) => isOffered(name, client().credentials),
    data(set) {
      const own = client().credentials[set]?.governor.known.own
      return {
        version: own ? shownData.version : null,
        window: own?.dataWindow ?? null,
        listsContent: own?.extensions.includes(CONTENT_EXTENSION) ?? false,
      }
    },
    async ask(name, params) {
      const answer = await ask(name, params)
      if ('error' in answer) throw answer.error
      return answer.body
    },
    pollDataVersion: async () => void (await ask('readDataVersion', {})),
    applyData: (version) => shownData.apply(version),
    repeatDataNotice: () => shownData.renotify(),
    keyStates() {
      const { v1, earlier } = client().credentials
      return { v1: keyStateOf(v1?.governor), earlier: keyStateOf(earlier?.governor) }
    },
    async close() {
      await Promise.all([...pools].map((pool) => pool.destroy()))
    },
  }
}

type Options = { pool: Pool; credentials: Credentials; clock: Clock; totalMs: number }

/** Makes a call that our own service does not count, without the governor. */
async function askUncounted(
  name: UpstreamRouteName,
  params: UpstreamParams,
  { pool, credentials, clock, totalMs }: Options,
): Promise<Pick<Exchange, 'answer' | 'facts'>> {
  const credential = findOffering(name, credentials)
  if (!credential) {
    const error = new UpstreamError({ set: 'earlier', kind: 'route_absent', reason: 'not offered' })
    return { answer: { error }, facts: null }
  }
  const request = toRequest(name, params)
  const signal = AbortSignal.timeout(totalMs)
  return exchange(request, { key: credential.key, clock, send: (sent) => send(pool, { ...sent, signal }) })
}

function toRequest(name: UpstreamRouteName, params: UpstreamParams): UpstreamRequest {
  return { name, params, path: upstreamTarget(name, params), body: upstreamBody(name, params) }
}
