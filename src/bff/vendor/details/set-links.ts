const MISSES_MIN_COUNT = 3

/** Whether the ids of both route sets name the same records: found out, because the reference does not say. */
export class SetLinks {
  readonly #misses = new Set<string>()
  #areLinked = false

  /** True once several records of one set were unknown to the other, and none was known. */
  get areSeparate(): boolean {
    return !this.#areLinked && this.#misses.size >= MISSES_MIN_COUNT
  }

  learn(id: string, isInBoth: boolean): void {
    if (isInBoth) this.#areLinked = true
    else if (this.#misses.size < MISSES_MIN_COUNT) this.#misses.add(id)
  }
}
