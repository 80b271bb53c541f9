export type Clock = {
  /** Monotonic: for durations and for 'not before'. */
  elapsedMs(): number
  /** Epoch milliseconds: for what people read. May jump. */
  nowMs(): number
}

export const systemClock: Clock = { elapsedMs: () => performance.now(), nowMs: () => Date.now() }
