import type { Caller } from '#bff/upstream/client/caller.ts'
import type { UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import type { CallPriority } from '#contract/bff/call-ledger.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { UPSTREAM_ROUTES, type UpstreamRoute } from '#contract/upstream/upstream-routes.ts'
import { addCalls, type BudgetState, callsLeft, freeAtMs, type Usage } from './budget-state.ts'
import { restOfDay, timeOfRest, type UsualHours } from './rest-of-day.ts'

/** The share of a limit period that each priority leaves for those before it; of a day it shrinks with what is to come. */
const RESERVES: Readonly<Record<'minute' | 'day', Record<CallPriority, number>>> = {
  minute: { person: 0, refresh: 0.2, window: 0.4, prefetch: 0.6 },
  day: { person: 0, refresh: 0.4, window: 0.45, prefetch: 0.7 },
}
/** More than its priority leaves, so that a call in the background never takes the place of another. */
const BACKGROUND_RESERVES = { minute: 0.6, day: 0.5 }
/** Facts older than this are probed by one call alone. */
const FACTS_STALE_AFTER_MS = HOUR_MS
const ROUTES: Readonly<Record<string, UpstreamRoute | undefined>> = UPSTREAM_ROUTES

export type CallRequest = {
  caller: Caller
  /** The share of each limit period that must be left; a retry is worth no scarce call. */
  leastShare: number
  route: string
  usualHours: UsualHours
}

export type Refusal = {
  kind: UpstreamErrorKind
  reason: string
  words: string | null
  retryAtMs: number | null
}
export type Verdict =
  | { kind: 'go'; isProbe: boolean }
  /** Another call is probing. */
  | { kind: 'wait' }
  | { kind: 'refused'; refusal: Refusal }

/** Decides which calls may be sent now. Each admitted call counts against the ones after it. */
export function admitCalls(
  state: BudgetState,
  requests: readonly (CallRequest & { usage: Usage })[],
  nowMs: number,
): Verdict[] {
  const sessions: (string | null)[] = []
  let isProbed = false
  return requests.map(({ usage, ...request }) => {
    const { session } = request.caller
    const own = sessions.filter((one) => one === session).length
    const verdict = admitCall(state, addCalls(usage, { all: sessions.length, own, nowMs }), request, nowMs)
    if (verdict.kind !== 'go') return verdict
    // One call probes for all others.
    if (isProbed) return { kind: 'wait' }
    isProbed = verdict.isProbe
    sessions.push(session)
    return verdict
  })
}

/** Decides whether a call may be sent now. All decisions are made here. */
export function admitCall(state: BudgetState, usage: Usage, request: CallRequest, nowMs: number): Verdict {
  const refusal = standingRefusal(state, request.route, nowMs) ?? periodRefusal(state, usage, request, nowMs)
  if (refusal) return { kind: 'refused', refusal }
  const isProbe = needsProbe(state, nowMs)
  if (isProbe && state.probe && state.probe.untilMs > nowMs) return { kind: 'wait' }
  return { kind: 'go', isProbe }
}

/** The refusal that follows from an earlier answer, while that lasts; null without one. */
export function standingRefusal(state: BudgetState, route: string, nowMs: number): Refusal | null {
  const { block, forbidden, breaker } = state
  const forbiddenRoute = state.forbiddenRoutes[route]
  if (block && block.untilMs > nowMs) {
    return { kind: block.kind, reason: 'told to wait before', words: null, retryAtMs: block.untilMs }
  }
  const isRouteForbidden = forbiddenRoute !== undefined && forbiddenRoute.untilMs > nowMs
  const isOpen = forbidden?.absent && isRequestedAlone(route) && !isRouteForbidden
  if (forbidden && forbidden.untilMs > nowMs && !isOpen) {
    const kind = forbidden.absent ? 'set_absent' : 'set_forbidden'
    return { kind, reason: 'forbidden before', words: forbidden.words, retryAtMs: null }
  }
  if (isRouteForbidden) {
    const { words, absent } = forbiddenRoute
    const kind = absent ? 'route_absent' : 'route_forbidden'
    return { kind, reason: 'route forbidden before', words, retryAtMs: null }
  }
  if (breaker && breaker.untilMs > nowMs) {
    return {
      kind: 'unavailable',
      reason: 'failed too often in a row',
      words: null,
      retryAtMs: breaker.untilMs,
    }
  }
  return null
}

/** The earlier set's routes of no record may be there without its list: each is known to be absent by its own answer. */
function isRequestedAlone(name: string): boolean {
  const route = ROUTES[name]
  const isPlain = route?.method === 'GET' && !route.path.includes('{')
  return isPlain && route.set === 'earlier' && name !== 'listFeed'
}

function needsProbe({ answeredAtMs, breaker }: BudgetState, nowMs: number): boolean {
  return breaker !== null || answeredAtMs === null || nowMs - answeredAtMs > FACTS_STALE_AFTER_MS
}

function periodRefusal(
  state: BudgetState,
  usage: Usage,
  { caller, leastShare, usualHours }: CallRequest,
  nowMs: number,
): Refusal | null {
  // The day first: who waits for the minute in vain is given the wrong reason.
  for (const name of ['day', 'minute'] as const) {
    const period = state[name]
    const left = period ? callsLeft(period, usage[name], nowMs) : Number.POSITIVE_INFINITY
    if (!period || left === Number.POSITIVE_INFINITY) continue
    const freeMs = freeAtMs(name, state, usage, nowMs)
    const refuse = (kind: UpstreamErrorKind, reason: string, retryAtMs = freeMs): Refusal => ({
      kind,
      reason: `${reason} of the ${name}`,
      words: null,
      retryAtMs,
    })
    const limit = period.limit ?? period.remaining ?? left
    const own = usage[name].usedBySession

    if (left < 1) {
      return refuse(name === 'day' ? 'daily_limit_reached' : 'rate_limited', 'no call is left')
    }
    const share = caller.isBackground ? BACKGROUND_RESERVES[name] : RESERVES[name][caller.priority]
    const reserve =
      name === 'day'
        ? reserveOf(share * restOfDay(nowMs, freeMs, usualHours), limit)
        : reserveOf(share, limit)
    const isReserved = left <= reserve
    if (isReserved || left < leastShare * limit) {
      // The reserve of a day shrinks as the day passes, so a call is free long before the next day.
      const retryAtMs =
        isReserved && name === 'day' && left > 1
          ? Math.ceil(timeOfRest((left - 1) / (share * limit), freeMs, usualHours)) + 1
          : freeMs
      return refuse('saving_calls', 'the calls left are kept for people', Math.max(retryAtMs, nowMs + 1))
    }
    if (caller.session !== null && own + 1 > Math.ceil((left + own) / 2)) {
      return refuse('share_used', "the session's share is used up")
    }
  }
  return null
}

/** Returns how many of a day's calls are reserved for higher priorities, by the share of their use still to come. */
export function dayReserve(priority: CallPriority, limit: number, rest: number): number {
  return reserveOf(RESERVES.day[priority] * rest, limit)
}

function reserveOf(share: number, limit: number): number {
  return share === 0 ? 0 : Math.max(1, Math.ceil(share * limit))
}
