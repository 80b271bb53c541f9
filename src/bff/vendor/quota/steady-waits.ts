import type { Clock } from '#bff/time/clock.ts'
import type { BudgetState, ToldWindow } from './budget-state.ts'

type Waits = Pick<BudgetState, 'minute' | 'day' | 'block'>

/** Holds what was told to last for as long as it was told, whatever is done to the clock meanwhile. */
export class SteadyWaits {
  readonly #clock: Clock
  readonly #heard = new Map<keyof Waits, { endMs: number; endElapsedMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The same ends by the time as it is now. */
  hold<T extends Waits>(state: T, nowMs: number): T {
    const { minute, day, block } = state
    const holdWindow = (name: 'minute' | 'day', window: ToldWindow | null) =>
      window && { ...window, resetsAtMs: this.#hold(name, window.resetsAtMs, nowMs) }
    return {
      ...state,
      minute: holdWindow('minute', minute),
      day: holdWindow('day', day),
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
