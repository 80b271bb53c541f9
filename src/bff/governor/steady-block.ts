import type { Clock } from '#bff/upstream/clock.ts'
import type { BudgetState } from './budget-state.ts'

type Block = NonNullable<BudgetState['block']>

/** Holds a wait for as long as it was told, whatever is done to the clock meanwhile. */
export class SteadyBlock {
  readonly #clock: Clock
  #heard: { untilMs: number; untilElapsedMs: number } | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The same wait by the time as it is now. */
  hold(block: Block | null, nowMs: number): Block | null {
    if (!block) return null
    const elapsedMs = this.#clock.elapsedMs()
    if (this.#heard?.untilMs !== block.untilMs) {
      this.#heard = { untilMs: block.untilMs, untilElapsedMs: elapsedMs + block.untilMs - nowMs }
    }
    return { ...block, untilMs: nowMs + this.#heard.untilElapsedMs - elapsedMs }
  }
}
