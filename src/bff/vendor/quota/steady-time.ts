import type { Clock } from '#bff/time/clock.ts'

/** A difference that no drift makes between two looks. */
const JUMP_MIN_MS = 2_000
/** As long as a minute's window: what is counted in it stays counted. */
const HOLD_MS = 61_000

/** The time of the system, without its jumps: one that is set anew is believed a little later. */
export class SteadyTime {
  readonly #clock: Clock
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
}
