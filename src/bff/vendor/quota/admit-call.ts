import type { Caller } from '#bff/vendor/client/caller.ts'
import type { UpstreamErrorKind } from '#bff/vendor/client/upstream-error.ts'
import type { CallPriority } from '#contract/bff/call-ledger.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { type BudgetState, callsLeft, dayStartMs, freeAtMs, type Usage } from './budget-state.ts'

/** The share of a limit period that each priority leaves for those before it; of a day it shrinks as the day ends. */
const RESERVES: Readonly<Record<'minute' | 'day', Record<CallPriority, number>>> = {
  minute: { person: 0, refresh: 0.2, window: 0.4, prefetch: 0.6 },
  day: { person: 0, refresh: 0.4, window: 0.45, prefetch: 0.7 },
}
/** Facts older than this are probed by one call alone. */
const FACTS_STALE_AFTER_MS = HOUR_MS

export type CallRequest = {
  caller: Caller
  /** The share of each limit period that must be left; a retry is worth no scarce call. */
  leastShare: number
  route: string
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

/** Whether a call may go out now. The one place that decides it. */
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
  if (forbidden && forbidden.untilMs > nowMs) {
    return { kind: 'set_forbidden', reason: 'forbidden before', words: forbidden.words, retryAtMs: null }
  }
  if (forbiddenRoute && forbiddenRoute.untilMs > nowMs) {
    const { words } = forbiddenRoute
    return { kind: 'route_forbidden', reason: 'route forbidden before', words, retryAtMs: null }
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

function needsProbe({ answeredAtMs, breaker }: BudgetState, nowMs: number): boolean {
  return breaker !== null || answeredAtMs === null || nowMs - answeredAtMs > FACTS_STALE_AFTER_MS
}

function periodRefusal(
  state: BudgetState,
  usage: Usage,
  { caller, leastShare }: CallRequest,
  nowMs: number,
): Refusal | null {
  // The day first: who waits for the minute in vain is given the wrong reason.
  for (const name of ['day', 'minute'] as const) {
    const period = state[name]
    const left = period ? callsLeft(period, usage[name], nowMs) : Number.POSITIVE_INFINITY
    if (!period || left === Number.POSITIVE_INFINITY) continue
    const refuse = (kind: UpstreamErrorKind, reason: string): Refusal => ({
      kind,
      reason: `${reason} of the ${name}`,
      words: null,
      retryAtMs: freeAtMs(name, state, usage, nowMs),
    })
    const limit = period.limit ?? period.remaining ?? left
    const own = usage[name].usedBySession

    if (left < 1) {
      return refuse(name === 'day' ? 'daily_limit_reached' : 'rate_limited', 'no call is left')
    }
    const restOfDay = name === 'day' ? (dayStartMs(state.day, nowMs) + DAY_MS - nowMs) / DAY_MS : 1
    const reserve = reserveOf(RESERVES[name][caller.priority] * restOfDay, limit)
    if (left <= reserve || left < leastShare * limit) {
      return refuse('saving_calls', 'the calls left are kept for people')
    }
    if (caller.session !== null && own + 1 > Math.ceil((left + own) / 2)) {
      return refuse('share_used', "the session's share is used up")
    }
  }
  return null
}

function reserveOf(share: number, limit: number): number {
  return share === 0 ? 0 : Math.max(1, Math.ceil(share * limit))
}
