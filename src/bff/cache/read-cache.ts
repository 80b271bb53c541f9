import type { Caller } from '#bff/upstream/caller.ts'
import type { Clock } from '#bff/upstream/clock.ts'
import { staleReasonOf } from '#bff/upstream/to-problem.ts'
import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/upstream-error.ts'
import type { CallPriority } from '#contract/bff/call-ledger.ts'
import type { Ask } from './ask.ts'
import { BoundedMap } from './bounded-map.ts'
import type { Reading } from './reading.ts'
import { unlessAborted } from './unless-aborted.ts'

const STALE_MAX_MS = 24 * 3_600_000
/** A person's refresh within it is answered from the cache: nobody reads that fast. */
const REFRESH_MIN_AGE_MS = 5_000
const FAILURES_MAX_COUNT = 1_000

/** How long a failure answers the same question again: a broken source is not asked by everyone at once. */
const FAILURE_FOR_MS: Partial<Record<UpstreamErrorKind, number>> = {
  not_found: 60_000,
  forbidden: 15 * 60_000,
  unavailable: 3_000,
  timeout: 3_000,
  unreadable: 3_000,
}

type Entry<T> = { value: T; fetchedAtMs: number; fetchedAt: number }

export type ReadCacheOptions<T> = {
  clock: Clock
  maxBytes: number
  freshForMs: (value: T) => number
  sizeOf?: (value: T) => number
  /** For failures of other kinds than the source's. */
  failureForMs?: (error: unknown) => number
}

/**
 * What was read, for one kind of question. Identical questions at the same time are one read; a failed read is answered
 * with what was known before, if that may still be shown.
 */
export class ReadCache<T> {
  readonly #options: Required<ReadCacheOptions<T>>
  readonly #entries: BoundedMap<Entry<T>>
  readonly #failures = new BoundedMap<{ error: unknown; until: number }>({
    maxSize: FAILURES_MAX_COUNT,
    maxCount: FAILURES_MAX_COUNT,
  })
  readonly #flights = new Map<string, Promise<Entry<T>>>()

  constructor(options: ReadCacheOptions<T>) {
    this.#options = { sizeOf: sizeOfJson, failureForMs, ...options }
    this.#entries = new BoundedMap({ maxSize: options.maxBytes, maxCount: Number.POSITIVE_INFINITY })
  }

  /**
   * `load` runs at most once for all who ask for `key` meanwhile, and is not stopped when they go away. It is told for
   * whom: who has something to see already does not come before those who have nothing.
   */
  async read(key: string, load: (caller: Caller) => Promise<T>, ask: Ask): Promise<Reading<T>> {
    const now = this.#options.clock.elapsedMs()
    const known = this.#entries.get(key)
    const age = known ? now - known.fetchedAt : Number.POSITIVE_INFINITY
    const isWanted = ask.isRefresh && age >= REFRESH_MIN_AGE_MS
    if (known && !isWanted && age < this.#options.freshForMs(known.value)) return this.#toReading(known, null)

    const isSpare = known !== undefined && !isWanted && ask.caller.priority === 'person'
    const caller: Caller = isSpare ? { ...ask.caller, priority: 'refresh' } : ask.caller
    try {
      const failure = this.#failures.get(key)
      if (failure && failure.until > now) throw failure.error
      return this.#toReading(
        await unlessAborted(
          this.#fly(key, () => load(caller), caller.priority),
          ask.signal,
          impatience,
        ),
        null,
      )
    } catch (error) {
      const staleReason = staleReasonOf(error)
      if (!known || staleReason === null || age > STALE_MAX_MS) throw error
      return this.#toReading(known, staleReason)
    }
  }

  /** What is known already, however old, without asking; null where nothing is. */
  peek(key: string): Reading<T> | null {
    const known = this.#entries.get(key)
    return known ? this.#toReading(known, null) : null
  }

  /** A person does not join what a background poll began: it may be refused for being one. */
  #fly(key: string, load: () => Promise<T>, priority: CallPriority): Promise<Entry<T>> {
    const flightKey = `${priority} ${key}`
    const underWay = this.#flights.get(`person ${key}`) ?? this.#flights.get(flightKey)
    if (underWay) return underWay
    const flight = this.#load(key, load).finally(() => this.#flights.delete(flightKey))
    // Those who wait meet its failure; when nobody is left, nobody has to.
    flight.catch(() => {})
    this.#flights.set(flightKey, flight)
    return flight
  }

  async #load(key: string, load: () => Promise<T>): Promise<Entry<T>> {
    const { clock, sizeOf, failureForMs } = this.#options
    try {
      const value = await load()
      const entry = { value, fetchedAtMs: clock.nowMs(), fetchedAt: clock.elapsedMs() }
      this.#entries.set(key, entry, sizeOf(value))
      this.#failures.delete(key)
      return entry
    } catch (error) {
      const forMs = failureForMs(error)
      if (forMs > 0) this.#failures.set(key, { error, until: clock.elapsedMs() + forMs }, 1)
      // What must not be shown any more is not kept either.
      if (staleReasonOf(error) === null) this.#entries.delete(key)
      throw error
    }
  }

  #toReading({ value, fetchedAtMs, fetchedAt }: Entry<T>, staleReason: string | null): Reading<T> {
    const age = this.#options.clock.elapsedMs() - fetchedAt
    const freshForMs = staleReason === null ? Math.max(0, this.#options.freshForMs(value) - age) : 0
    return { value, fetchedAtMs, freshForMs, staleReason }
  }
}

function failureForMs(error: unknown): number {
  return error instanceof UpstreamError ? (FAILURE_FOR_MS[error.kind] ?? 0) : 0
}

function sizeOfJson(value: unknown): number {
  return JSON.stringify(value).length * 2
}

function impatience(): UpstreamError {
  return new UpstreamError({ set: null, kind: 'timeout', reason: 'nobody waits any longer' })
}
