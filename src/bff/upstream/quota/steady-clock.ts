import type { Clock } from '#bff/time/clock.ts'
import type { BudgetState, ReportedLimit } from './budget-state.ts'

/** A difference that no drift makes between two readings of the clock. */
const JUMP_MIN_MS = 2_000
/** A minute's limit period lasts this long: calls counted in it stay counted. */
const HOLD_MS = 61_000

type Waits = Pick<BudgetState, 'minute' | 'day' | 'block'>

/**
 * The time of the system without its jumps: a clock that is set anew is followed a little later, and what was stated to last
 * lasts as long as was stated, whatever is done to the time meanwhile.
 */
export class SteadyClock {
  readonly #clock: Clock
  readonly #heard = new Map<keyof Waits, { endMs: number; endElapsedMs: number }>()
  #known: { nowMs: number; elapsedMs: number }
  #jumpedAtMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
    this.#known = { nowMs: clock.nowMs(), elapsedMs: clock.elapsedMs() }
  }

  nowMs(): number {
    const nowMs = this.#clock.nowMs()
    const elapsedMs = this.#clock.elapsedMs()
    const expectedMs = this.#known.nowMs + elapsedMs - this.#known.elapsedMs
    if (Math.abs(nowMs - expectedMs) >= JUMP_MIN_MS) {
      this.#jumpedAtMs ??= elapsedMs
      if (elapsedMs - this.#jumpedAtMs < HOLD_MS) return expectedMs
    }
    this.#jumpedAtMs = null
    this.#known = { nowMs, elapsedMs }
    return nowMs
  }

  /** The state's waits, with their ends by the time as it is now. */
  hold<T extends Waits>(state: T, nowMs: number): T {
    const { minute, day, block } = state
    const holdPeriod = (name: 'minute' | 'day', period: ReportedLimit | null) =>
      period && { ...period, resetsAtMs: this.#hold(name, period.resetsAtMs, nowMs) }
    return {
      ...state,
      minute: holdPeriod('minute', minute),
      day: holdPeriod('day', day),
      block: block && { ...block, untilMs: this.#hold('block', block.untilMs, nowMs) },
    }
  }

  #hold(name: keyof Waits, endMs: number, nowMs: number): number {
    const elapsedMs = this.#clock.elapsedMs()
    const known = this.#heard.get(name)
    const heard = known?.endMs === endMs ? known : { endMs, endElapsedMs: elapsedMs + endMs - nowMs }
    this.#heard.set(name, heard)
    return nowMs + heard.endElapsedMs - elapsedMs
  }
}
