type Entry<V> = { value: V; size: number }

/** A map of a bounded size, in bytes and in entries, that drops what was used longest ago. */
export class BoundedMap<V> {
  readonly #entries = new Map<string, Entry<V>>()
  readonly #maxSize: number
  readonly #maxCount: number
  #size = 0

  constructor({ maxSize, maxCount }: { maxSize: number; maxCount: number }) {
    this.#maxSize = maxSize
    this.#maxCount = maxCount
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    // A Map keeps the order of insertion: what was used moves to the end.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: V, size: number): void {
    this.delete(key)
    this.#entries.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize && this.#entries.size <= this.#maxCount) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}
