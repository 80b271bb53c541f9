import type { BudgetState, ToldWindow } from './budget-state.ts'
import { DAY_MS } from './window-usage.ts'

/** Clocks of processes that work together differ by less. */
export const SKEW_MAX_MS = 60_000
/** The longest that each of them lasts, and a margin. */
const LASTS_MAX_MS = {
  window: DAY_MS + SKEW_MAX_MS,
  block: DAY_MS + SKEW_MAX_MS,
  forbidden: 15 * 60_000 + SKEW_MAX_MS,
  breaker: 5 * 60_000 + SKEW_MAX_MS,
  probe: SKEW_MAX_MS,
} as const

/** Drops what a clock that was set back since would make last for longer than anything does, and refusals that are over. */
export function healState(state: BudgetState, nowMs: number): BudgetState {
  const orNull = <T extends { untilMs: number }>(lasting: T | null, maxMs: number) =>
    lasting && lasting.untilMs - nowMs > maxMs ? null : lasting
  const isFuture = state.answeredAtMs !== null && state.answeredAtMs - nowMs > SKEW_MAX_MS
  return {
    ...state,
    minute: healWindow(state.minute, nowMs),
    day: healWindow(state.day, nowMs),
    answeredAtMs: isFuture ? null : state.answeredAtMs,
    block: orNull(state.block, LASTS_MAX_MS.block),
    forbidden: orNull(state.forbidden, LASTS_MAX_MS.forbidden),
    forbiddenRoutes: Object.fromEntries(
      Object.entries(state.forbiddenRoutes).filter(
        ([, { untilMs }]) => untilMs > nowMs && untilMs - nowMs <= LASTS_MAX_MS.forbidden,
      ),
    ),
    breaker: orNull(state.breaker, LASTS_MAX_MS.breaker),
    probe: orNull(state.probe, LASTS_MAX_MS.probe),
  }
}

/** Its limit is known whatever the time is; what was left of it is not. */
function healWindow(window: ToldWindow | null, nowMs: number): ToldWindow | null {
  if (!window || window.resetsAtMs - nowMs <= LASTS_MAX_MS.window) return window
  return { ...window, remaining: null, resetsAtMs: nowMs, toldAtMs: Math.min(window.toldAtMs, nowMs) }
}
