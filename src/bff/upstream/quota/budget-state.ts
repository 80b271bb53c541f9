import * as z from 'zod/mini'
import { iso } from '#bff/time/iso-time.ts'
import { connectionFaultSchema } from '#bff/upstream/client/connection-fault.ts'
import { ownServiceSchema } from '#bff/upstream/client/own-service.ts'
import { type CallBudget, callFailureSchema, type SetState } from '#contract/bff/source.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'

/** A second more than the vendor's minute: its clock is not ours. */
const MINUTE_MS = 61_000
/** Clocks of processes that work together differ by less. */
export const SKEW_MAX_MS = 60_000
/** One of the vendor's limit periods, as an answer reported it. Times are epoch milliseconds. */
const reportedLimitSchema = z.object({
  limit: z.nullable(z.int()),
  remaining: z.nullable(z.int()),
  resetsAtMs: z.number(),
  /** The call whose answer reported it. What was called after it is not yet in `remaining`. */
  reportedBy: z.int(),
  reportedAtMs: z.number(),
  /** A limit that was not reported but guessed from a refusal after so many calls: it is tried again after this time. */
  guessedUntilMs: z.nullable(z.number()),
})
export type ReportedLimit = z.infer<typeof reportedLimitSchema>

/** A call that finds out the state is over after this time. */
export const PROBE_FOR_MS = 12_000
export const FORBIDDEN_FOR_MS = 15 * 60_000
/** An absent route is requested again after a while, which doubles each time up to this. */
export const ABSENT_FOR_MAX_MS = 4 * HOUR_MS

/** That the plan does not include something, in the vendor's words; absent, that the vendor does not have it. */
const forbiddenSchema = z.object({
  untilMs: z.number(),
  words: z.nullable(z.string()),
  absent: z.optional(z.object({ forMs: z.number().check(z.maximum(ABSENT_FOR_MAX_MS)) })),
})
export type Forbidden = z.infer<typeof forbiddenSchema>

/** The state of one key on one route set, shared by all processes. */
export const budgetStateSchema = z.object({
  minute: z.nullable(reportedLimitSchema),
  day: z.nullable(reportedLimitSchema),
  /** The last answer of any kind. */
  answeredAtMs: z.nullable(z.number()),
  /** A call is finding out the current state; the others wait for it. */
  probe: z.nullable(z.object({ callId: z.int(), untilMs: z.number() })),
  isPermitted: z.boolean(),
  forbidden: z.nullable(forbiddenSchema),
  /** Keys are the names of single routes. */
  forbiddenRoutes: z._default(z.record(z.string(), forbiddenSchema), {}),
  block: z.nullable(z.object({ untilMs: z.number(), kind: z.enum(['rate_limited', 'daily_limit_reached']) })),
  /** Refusals in a row that did not say how long to wait. */
  unstatedWaits: z.int(),
  failures: z.int(),
  breaker: z.nullable(z.object({ untilMs: z.number(), forMs: z.number() })),
  /** The last call failed for this reason, which an operator has to correct. */
  connectionFault: z._default(z.nullable(connectionFaultSchema), null),
  /** The last call, where it brought no data. */
  lastFailure: z._default(z.nullable(z.object({ atMs: z.number(), why: callFailureSchema })), null),
  trialExpiresAt: z.nullable(z.string()),
  isDemo: z.boolean(),
  /** Null for a vendor. */
  own: z._default(z.nullable(ownServiceSchema), null),
  /** A number that rises with each change of plan: what the one before could read may not be shown any more. */
  plan: z._default(z.int(), 0),
})
export type BudgetState = z.infer<typeof budgetStateSchema>

/** Nothing is known: the first call is a probe. */
export const UNKNOWN_BUDGET: BudgetState = {
  minute: null,
  day: null,
  answeredAtMs: null,
  probe: null,
  isPermitted: false,
  forbidden: null,
  forbiddenRoutes: {},
  block: null,
  unstatedWaits: 0,
  failures: 0,
  breaker: null,
  connectionFault: null,
  lastFailure: null,
  trialExpiresAt: null,
  isDemo: false,
  own: null,
  plan: 0,
}

/** Drops refusals that are over. If the clock was set back since the state was written, no time in it holds. */
export function expireState(state: BudgetState, nowMs: number): BudgetState {
  if (writtenAtMs(state) - nowMs > SKEW_MAX_MS) return withoutTimes(state, nowMs)
  const forbiddenRoutes = Object.entries(state.forbiddenRoutes).filter(
    ([, { untilMs, absent }]) => untilMs > nowMs || absent,
  )
  return { ...state, forbiddenRoutes: Object.fromEntries(forbiddenRoutes) }
}

function writtenAtMs({ answeredAtMs, lastFailure, probe }: BudgetState): number {
  return Math.max(answeredAtMs ?? 0, lastFailure?.atMs ?? 0, (probe?.untilMs ?? 0) - PROBE_FOR_MS)
}

function withoutTimes(state: BudgetState, nowMs: number): BudgetState {
  // A limit is known whatever the time is, and so is when in a day it resets. What was left of it is not known.
  const withoutRest = (period: ReportedLimit | null) => {
    if (!period) return null
    const daysAhead = Math.ceil(Math.max(0, period.resetsAtMs - nowMs) / DAY_MS)
    const resetsAtMs = period.resetsAtMs - daysAhead * DAY_MS
    return { ...period, remaining: null, resetsAtMs, reportedAtMs: nowMs }
  }
  const { isPermitted, trialExpiresAt, isDemo, own, plan } = state
  const { minute, day } = { minute: withoutRest(state.minute), day: withoutRest(state.day) }
  return { ...UNKNOWN_BUDGET, minute, day, isPermitted, trialExpiresAt, isDemo, own, plan }
}

/** Our own calls in a limit period, and what of them matters for a decision. */
export type PeriodUsage = {
  used: number
  usedBySession: number
  /** Calls later than the one whose answer reported the period. */
  sinceReported: number
  /** Epoch milliseconds of the first. */
  oldestMs: number | null
}
export type Usage = { minute: PeriodUsage; day: PeriodUsage }

const UNUSED: PeriodUsage = { used: 0, usedBySession: 0, sinceReported: 0, oldestMs: null }
export const NO_USAGE: Usage = { minute: UNUSED, day: UNUSED }

/** Returns true if a known limit counts our own calls. */
export function hasLimit({ minute, day }: BudgetState): boolean {
  return [minute, day].some((period) => period !== null && (period.limit ?? period.remaining) !== null)
}

/** Adds calls that are in progress, some of them of this session. */
export function addCalls(
  { minute, day }: Usage,
  { all, own, nowMs }: { all: number; own: number; nowMs: number },
): Usage {
  const add = ({ used, usedBySession, sinceReported, oldestMs }: PeriodUsage): PeriodUsage => ({
    used: used + all,
    usedBySession: usedBySession + own,
    sinceReported: sinceReported + all,
    oldestMs,
  })
  return { minute: { ...add(minute), oldestMs: minute.oldestMs ?? (all > 0 ? nowMs : null) }, day: add(day) }
}

/** Any minute, wherever the vendor's begins: calls of both halves of two periods can meet in one. */
export function minuteStartMs(nowMs: number): number {
  return nowMs - MINUTE_MS
}

/** UTC midnight, unless a reported reset says that the vendor's day begins at another time. */
export function dayStartMs(day: { resetsAtMs: number | null } | null, nowMs: number): number {
  const phaseMs = (day?.resetsAtMs ?? 0) % DAY_MS
  return Math.floor((nowMs - phaseMs) / DAY_MS) * DAY_MS + phaseMs
}

/** The calls left in a limit period: the fewer of what the vendor reported and what our own count allows. */
export function callsLeft(period: ReportedLimit, usage: PeriodUsage, nowMs: number): number {
  return Math.max(0, Math.min(reportedLeft(period, usage, nowMs), ownLeft(period, usage, nowMs)))
}

/** Returns when a limit period has calls again, as far as is known, in epoch milliseconds. */
export function freeAtMs(name: 'minute' | 'day', state: BudgetState, usage: Usage, nowMs: number): number {
  if (name === 'day') return dayStartMs(state.day, nowMs) + DAY_MS
  const ownMs = usage.minute.oldestMs === null ? nowMs : usage.minute.oldestMs + MINUTE_MS
  return Math.max(nowMs, ownMs, state.minute?.resetsAtMs ?? nowMs)
}

function reportedLeft(
  { remaining, resetsAtMs }: ReportedLimit,
  { sinceReported }: PeriodUsage,
  nowMs: number,
): number {
  return remaining === null || resetsAtMs <= nowMs ? Number.POSITIVE_INFINITY : remaining - sinceReported
}

function ownLeft({ limit, guessedUntilMs }: ReportedLimit, { used }: PeriodUsage, nowMs: number): number {
  const isKnown = limit !== null && (guessedUntilMs === null || guessedUntilMs > nowMs)
  return isKnown ? limit - used : Number.POSITIVE_INFINITY
}

/** Returns a budget for pages. Without a count of our own calls, `remaining` is null. */
export function toSetState(
  state: BudgetState,
  usage: Usage | null,
  { nowMs, keyRetryAtMs }: { nowMs: number; keyRetryAtMs: number | null },
): SetState {
  const { forbidden, block, breaker, isPermitted, lastFailure } = state
  const isForbidden = forbidden !== null && forbidden.untilMs > nowMs
  const absence = isPermitted ? 'withoutList' : 'absent'
  const waits = [block?.untilMs, breaker?.untilMs, keyRetryAtMs]
  return {
    status: isForbidden ? (forbidden.absent ? absence : 'forbidden') : isPermitted ? 'permitted' : 'unknown',
    reason: isForbidden ? forbidden.words : null,
    budgets: { minute: toBudget('minute', state, usage, nowMs), day: toBudget('day', state, usage, nowMs) },
    blockedUntil: block && block.untilMs > nowMs ? iso(block.untilMs) : null,
    ...(lastFailure && !isForbidden && { failure: toFailure(lastFailure, waits, nowMs) }),
  }
}

function toFailure(
  { atMs, why }: NonNullable<BudgetState['lastFailure']>,
  waits: readonly (number | null | undefined)[],
  nowMs: number,
): SetState['failure'] {
  const retryAtMs = Math.max(...waits.map((untilMs) => untilMs ?? 0))
  return { at: iso(atMs), why, retryAt: retryAtMs > nowMs ? iso(retryAtMs) : null }
}

function toBudget(
  name: 'minute' | 'day',
  { [name]: period }: BudgetState,
  usage: Usage | null,
  nowMs: number,
): CallBudget | null {
  if (!period) return null
  const left = usage ? callsLeft(period, usage[name], nowMs) : null
  // A day is as long as the one before, though answers report it only once it is the scarcer period.
  const resetsAtMs =
    name === 'day' && period.limit !== null ? dayStartMs(period, nowMs) + DAY_MS : period.resetsAtMs
  return {
    limit: period.limit,
    remaining: left === Number.POSITIVE_INFINITY ? null : left,
    resetsAt: resetsAtMs > nowMs ? iso(resetsAtMs) : null,
  }
}
