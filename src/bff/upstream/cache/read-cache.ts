import { LRUCache } from 'lru-cache'
import { STALE_MAX_MS } from '#bff/http/answer-cache.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { staleReasonOf } from '#bff/upstream/client/to-problem.ts'
import { givenUp, UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import type { CallPriority } from '#contract/bff/call-ledger.ts'
import { unlessAborted } from '#server/unless-aborted.ts'
import type { CachedAnswer } from './cached-answer.ts'
import type { ReadRequest } from './read-request.ts'

/** A person's refresh of newer data than this is answered from the cache: nobody reads that fast. */
const REFRESH_MIN_AGE_MS = 5_000
const FAILURES_MAX_COUNT = 1_000

/** A failure answers the same read again for this long, so that not everyone calls a broken source at once. */
const FAILURE_FOR_MS: Partial<Record<UpstreamErrorKind, number>> = {
  not_found: 60_000,
  forbidden: 15 * 60_000,
  unavailable: 3_000,
  timeout: 3_000,
  unreadable: 3_000,
  web_page: 3_000,
}

type Load<T> = (caller: Caller) => Promise<T>
type Loaded<T> = { value: T; fetchedAtMs: number; isStored: boolean }
type Entry<T> = Omit<Loaded<T>, 'isStored'> & { fetchedAt: number }

export type ReadCacheOptions<T> = {
  clock: Clock
  /** A number; when it changes, everything that was read before is forgotten. */
  generation: () => number
  maxBytes: number
  freshForMs: (value: T) => number
  sizeOf?: (value: T) => number
  /** The cache holds answers of the vendor, which processes share in `stored_answer`. */
  isShared?: boolean
  /** Milliseconds that a failure is kept, for failures of other kinds than the vendor's. */
  failureForMs?: (error: unknown) => number
}

/**
 * A cache of one kind of read. Identical reads at the same time are one (single flight); a failed read is answered
 * with what was known before, if that may still be shown.
 */
export class ReadCache<T> {
  readonly #reads: () => GenerationReads<T>

  constructor(options: ReadCacheOptions<T>) {
    this.#reads = perGeneration(options.generation, () => new GenerationReads(options))
  }

  /**
   * `load` runs at most once for all who read `key` meanwhile, and is not stopped when they go away. It is given for
   * whom: who has something to see already does not come before those who have nothing.
   */
  async read(key: string, load: Load<T>, request: ReadRequest): Promise<CachedAnswer<T>> {
    return this.#reads().read(key, load, request)
  }

  /** Returns the cached answer, however old, without a read; null if there is none. */
  peek(key: string): CachedAnswer<T> | null {
    return this.#reads().peek(key)
  }
}

/** Holds the reads of one generation. */
class GenerationReads<T> {
  readonly #options: Required<ReadCacheOptions<T>>
  readonly #entries: LRUCache<string, Entry<T>>
  /** Each for its own time. */
  readonly #failures: LRUCache<string, { error: unknown }>
  readonly #flights = new Map<string, Promise<Entry<T>>>()
  readonly #recalls = new Map<string, Promise<Entry<T> | undefined>>()

  constructor(options: ReadCacheOptions<T>) {
    this.#options = { sizeOf: sizeOfJson, isShared: false, failureForMs, ...options }
    const { clock, maxBytes, sizeOf } = this.#options
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ value }) => sizeOf(value) })
    const perf = { now: () => clock.elapsedMs() }
    this.#failures = new LRUCache({ max: FAILURES_MAX_COUNT, ttl: 1, ttlResolution: 0, perf })
  }

  async read(key: string, load: Load<T>, request: ReadRequest): Promise<CachedAnswer<T>> {
    const known = this.#entries.get(key) ?? (await this.#recall(key, load, request))
    const now = this.#options.clock.elapsedMs()
    const age = known ? now - known.fetchedAt : Number.POSITIVE_INFINITY
    const isWanted = request.isRefresh && age >= REFRESH_MIN_AGE_MS
    if (known && !isWanted && age < this.#options.freshForMs(known.value))
      return this.#toCachedAnswer(known, null)

    const isSpare = known !== undefined && !isWanted && request.caller.priority === 'person'
    const caller: Caller = isSpare ? { ...request.caller, priority: 'refresh' } : request.caller
    try {
      const failure = this.#failures.get(key)
      if (failure) throw failure.error
      return this.#toCachedAnswer(
        await unlessAborted(
          this.#fly(key, (sinceMs) => this.#loadSince(load, caller, sinceMs), {
            priority: caller.priority,
            sinceMs: this.#sinceMs(known, isWanted),
          }),
          request.signal,
          () => givenUp(null),
        ),
        null,
      )
    } catch (error) {
      const staleReason = staleReasonOf(error)
      if (!known || staleReason === null || age > STALE_MAX_MS) throw error
      return this.#toCachedAnswer(known, staleReason)
    }
  }

  peek(key: string): CachedAnswer<T> | null {
    const known = this.#entries.get(key)
    return known ? this.#toCachedAnswer(known, null) : null
  }

  /** A person does not join what a background poll began: it may be refused for being one. */
  #fly(
    key: string,
    load: (sinceMs: number) => Promise<Loaded<T>>,
    { priority, sinceMs }: { priority: CallPriority; sinceMs: number },
  ): Promise<Entry<T>> {
    const flightKey = `${priority} ${key}`
    const underWay = this.#flights.get(`person ${key}`) ?? this.#flights.get(flightKey)
    if (underWay) return underWay
    const flight = this.#load(key, load, sinceMs).finally(() => this.#flights.delete(flightKey))
    // Those who wait meet its failure; when nobody is left, nobody has to.
    flight.catch(() => {})
    this.#flights.set(flightKey, flight)
    return flight
  }

  async #load(
    key: string,
    load: (sinceMs: number) => Promise<Loaded<T>>,
    sinceMs: number,
  ): Promise<Entry<T>> {
    const { clock, freshForMs, failureForMs } = this.#options
    try {
      const loaded = await load(sinceMs)
      let entry = this.#keep(key, loaded)
      // Another process has something newer that is not new enough.
      if (loaded.isStored && clock.elapsedMs() - entry.fetchedAt >= freshForMs(entry.value)) {
        entry = this.#keep(key, await load(entry.fetchedAtMs + 1))
      }
      this.#failures.delete(key)
      return entry
    } catch (error) {
      const forMs = failureForMs(error)
      // lru-cache counts its last millisecond in.
      if (forMs > 1) this.#failures.set(key, { error }, { ttl: forMs - 1 })
      // Data that must no longer be shown is not cached either.
      if (staleReasonOf(error) === null) this.#entries.delete(key)
      throw error
    }
  }

  /** The answer as any process got it, where this one has none. */
  #recall(key: string, load: Load<T>, { caller }: ReadRequest): Promise<Entry<T> | undefined> | undefined {
    if (!this.#options.isShared) return undefined
    const underWay = this.#recalls.get(key)
    if (underWay) return underWay
    const sinceMs = this.#options.clock.nowMs() - STALE_MAX_MS
    const recall = this.#loadSince(load, caller, sinceMs, true)
      .then(
        (stored) => this.#keep(key, stored),
        () => undefined,
      )
      .finally(() => this.#recalls.delete(key))
    this.#recalls.set(key, recall)
    return recall
  }

  async #loadSince(load: Load<T>, caller: Caller, sinceMs: number, isOnly = false): Promise<Loaded<T>> {
    const { clock, isShared } = this.#options
    let usedMs = Number.POSITIVE_INFINITY
    const onUsed = (fetchedAtMs: number) => {
      usedMs = Math.min(usedMs, fetchedAtMs)
    }
    const value = await load(isShared ? { ...caller, stored: { sinceMs, isOnly, onUsed } } : caller)
    return { value, fetchedAtMs: Math.min(usedMs, clock.nowMs()), isStored: Number.isFinite(usedMs) }
  }

  #keep(key: string, { value, fetchedAtMs }: Loaded<T>): Entry<T> {
    const { clock } = this.#options
    const fetchedAt = clock.elapsedMs() - Math.max(0, clock.nowMs() - fetchedAtMs)
    const entry = { value, fetchedAtMs, fetchedAt }
    this.#entries.set(key, entry)
    return entry
  }

  /** Another process's answer serves when it is newer than this one's, or as new as a person may want. */
  #sinceMs(known: Entry<T> | undefined, isWanted: boolean): number {
    const nowMs = this.#options.clock.nowMs()
    if (isWanted) return nowMs - REFRESH_MIN_AGE_MS + 1
    return known ? known.fetchedAtMs + 1 : nowMs - STALE_MAX_MS
  }

  #toCachedAnswer({ value, fetchedAtMs, fetchedAt }: Entry<T>, staleReason: string | null): CachedAnswer<T> {
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
