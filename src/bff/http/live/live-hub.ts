import type { LiveEvent } from '#contract/bff/live.ts'

export type LiveListener = {
  accountId: string
  hear(event: LiveEvent): void
  end(): void
}

/** More than a busy team brings about while a page loads. */
const RECENT_MAX_COUNT = 50

/** Publishes events to the pages that are connected to this process. */
export class LiveHub {
  #recent: { at: number; event: LiveEvent }[] = []
  readonly #listeners = new Set<LiveListener>()
  readonly #closing = new AbortController()

  /** Aborts when the server goes away: streams end then, and pages come back to whoever takes over. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  get size(): number {
    return this.#listeners.size
  }

  countOf(accountId: string): number {
    let count = 0
    for (const listener of this.#listeners) if (listener.accountId === accountId) count += 1
    return count
  }

  /** Returns the function that unsubscribes. */
  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the events of the last so many milliseconds, oldest first. */
  publishedWithin(ms: number): LiveEvent[] {
    const since = performance.now() - ms
    return this.#recent.filter(({ at }) => at >= since).map(({ event }) => event)
  }

  publish(event: LiveEvent): void {
    this.#recent = [...this.#recent.slice(1 - RECENT_MAX_COUNT), { at: performance.now(), event }]
    for (const listener of this.#listeners) listener.hear(event)
  }

  /** A session of this account has ended: pages that are still signed in come back by themselves. */
  endOf(accountId: string): void {
    for (const listener of this.#listeners) if (listener.accountId === accountId) listener.end()
  }

  close(): void {
    this.#closing.abort()
  }
}
