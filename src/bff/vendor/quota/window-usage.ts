import type { BudgetState, ToldWindow } from './budget-state.ts'

export const DAY_MS = 86_400_000
/** A second more than the vendor's minute: its clock is not ours. */
const MINUTE_MS = 61_000

/** Our own calls in a window, and what of them matters for a decision. */
export type WindowUsage = {
  used: number
  usedBySession: number
  /** Calls later than the one whose answer told of the window. */
  sinceTold: number
  /** Epoch milliseconds of the first. */
  oldestMs: number | null
}
export type Usage = { minute: WindowUsage; day: WindowUsage }

/** Any minute, wherever the vendor's begins: calls of both halves of two windows can meet in one. */
export function minuteStartMs(nowMs: number): number {
  return nowMs - MINUTE_MS
}

/** UTC midnight, unless a told reset says that the vendor's day begins at another time. */
export function dayStartMs(day: Pick<ToldWindow, 'resetsAtMs'> | null, nowMs: number): number {
  const phaseMs = (day?.resetsAtMs ?? 0) % DAY_MS
  return Math.floor((nowMs - phaseMs) / DAY_MS) * DAY_MS + phaseMs
}

/** The calls left in a window: the fewer of what the vendor told and what our own count allows. */
export function callsLeft(window: ToldWindow, usage: WindowUsage, nowMs: number): number {
  return Math.max(0, Math.min(toldLeft(window, usage, nowMs), ownLeft(window, usage, nowMs)))
}

/** When a window has calls again, as far as can be said. */
export function freeAtMs(name: 'minute' | 'day', state: BudgetState, usage: Usage, nowMs: number): number {
  if (name === 'day') return dayStartMs(state.day, nowMs) + DAY_MS
  const ownMs = usage.minute.oldestMs === null ? nowMs : usage.minute.oldestMs + MINUTE_MS
  return Math.max(nowMs, ownMs, state.minute?.resetsAtMs ?? nowMs)
}

function toldLeft({ remaining, resetsAtMs }: ToldWindow, { sinceTold }: WindowUsage, nowMs: number): number {
  return remaining === null || resetsAtMs <= nowMs ? Number.POSITIVE_INFINITY : remaining - sinceTold
}

function ownLeft({ limit, guessedUntilMs }: ToldWindow, { used }: WindowUsage, nowMs: number): number {
  const isKnown = limit !== null && (guessedUntilMs === null || guessedUntilMs > nowMs)
  return isKnown ? limit - used : Number.POSITIVE_INFINITY
}
