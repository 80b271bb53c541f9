import type { SetState } from '#contract/bff/source.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { ApiKey } from './api-key.ts'
import type { Clock } from './clock.ts'
import type { RateFacts } from './rate-facts.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

/** Who waits for a call: a person, or a page that updates by itself. */
export type Priority = 'person' | 'background'

const FORBIDDEN_FOR_MS = 15 * 60_000
/** A window this small has no call to spare for a page that updates by itself. */
const SMALL_LIMIT = 10
const SMALLEST_LIMIT_FOR_MS = 3_600_000
const SPARE_SHARE = 0.2

type Refusal = { kind: UpstreamErrorKind; reason: string; words: string | null; until: number }
type Budget = { limit: number | null; remaining: number | null; resetsAt: number | null }

export type SetGateOptions = { set: RouteSet; key: ApiKey | null; clock: Clock }

/** What is known of one route set, and whether a call on it may go out. Times are on the monotonic clock. */
export class SetGate {
  readonly #set: RouteSet
  readonly #clock: Clock
  readonly key: ApiKey | null
  #isPermitted = false
  /** Refuses every call until its time. */
  #refusal: Refusal | null = null
  #budget: Budget | null = null
  /** Answers tell of one window at a time, the minute's or the day's. */
  #smallestLimit = { limit: Number.POSITIVE_INFINITY, until: 0 }

  constructor({ set, key, clock }: SetGateOptions) {
    this.#set = set
    this.key = key
    this.#clock = clock
  }

  /** Whether a call could be permitted: there is a key that nobody refused, on a plan that may include the set. */
  get mayPermit(): boolean {
    const hasKey = this.key !== null && this.key.status !== 'invalid'
    return hasKey && this.#currentRefusal()?.kind !== 'set_forbidden'
  }

  /** The key to ask with. Throws what is already known to come of the call. */
  admit(priority: Priority): ApiKey {
    const refusal = this.#currentRefusal()
    if (!this.key) throw this.#error('key_missing', 'no key is set')
    if (this.key.status === 'invalid') throw this.#error('key_invalid', 'the key was refused before')
    if (refusal) throw this.#refused(refusal)
    if (priority === 'background' && !this.#hasSpareCalls()) {
      throw this.#error('saving_calls', 'few calls are left')
    }
    return this.key
  }

  learn({ limit, remaining, resetWaitMs }: RateFacts): void {
    if (limit === null && remaining === null) return
    const now = this.#clock.elapsedMs()
    this.#budget = { limit, remaining, resetsAt: resetWaitMs === null ? null : now + resetWaitMs }
    const isSmallest = limit !== null && limit <= this.#smallestLimit.limit
    if (isSmallest || this.#smallestLimit.until <= now) {
      this.#smallestLimit = { limit: limit ?? Number.POSITIVE_INFINITY, until: now + SMALLEST_LIMIT_FOR_MS }
    }
  }

  permit(): void {
    this.#isPermitted = true
    if (this.#currentRefusal()?.kind === 'set_forbidden') this.#refusal = null
  }

  /** The plan does not include the set: not asked again for a while, in case it is upgraded. */
  forbid(words: string | null): UpstreamError {
    this.#isPermitted = false
    return this.#refuse('set_forbidden', FORBIDDEN_FOR_MS, words)
  }

  /** The vendor asked to wait. */
  block(kind: 'rate_limited' | 'daily_limit_reached', waitMs: number): UpstreamError {
    return this.#refuse(kind, waitMs, null)
  }

  state(): SetState {
    const refusal = this.#currentRefusal()
    const isForbidden = refusal?.kind === 'set_forbidden'
    return {
      status: isForbidden ? 'forbidden' : this.#isPermitted ? 'permitted' : 'unknown',
      reason: isForbidden ? refusal.words : null,
      budget: this.#budget && { ...this.#budget, resetsAt: this.#toIso(this.#budget.resetsAt) },
      blockedUntil: refusal && !isForbidden ? this.#toIso(refusal.until) : null,
    }
  }

  #refuse(kind: UpstreamErrorKind, forMs: number, words: string | null): UpstreamError {
    const until = this.#clock.elapsedMs() + forMs
    // An answer that was under way must not shorten what a later one said.
    if (this.#refusal === null || this.#refusal.until < until) {
      this.#refusal = { kind, reason: 'answered before', words, until }
    }
    return this.#refused({ kind, reason: 'answered now', words, until })
  }

  #currentRefusal(): Refusal | null {
    return this.#refusal && this.#refusal.until > this.#clock.elapsedMs() ? this.#refusal : null
  }

  #hasSpareCalls(): boolean {
    if (this.#smallestLimit.limit <= SMALL_LIMIT) return false
    const { limit, remaining, resetsAt } = this.#budget ?? {}
    const isOver = resetsAt != null && resetsAt <= this.#clock.elapsedMs()
    return isOver || limit == null || remaining == null || remaining >= SPARE_SHARE * limit
  }

  #refused({ kind, reason, words, until }: Refusal): UpstreamError {
    const retryAtMs = kind === 'set_forbidden' ? null : this.#toEpochMs(until)
    return new UpstreamError({ set: this.#set, kind, reason, words, retryAtMs })
  }

  #error(kind: UpstreamErrorKind, reason: string): UpstreamError {
    return new UpstreamError({ set: this.#set, kind, reason })
  }

  #toEpochMs(elapsedMs: number): number {
    return this.#clock.nowMs() + elapsedMs - this.#clock.elapsedMs()
  }

  #toIso(elapsedMs: number | null): string | null {
    return elapsedMs === null ? null : new Date(this.#toEpochMs(elapsedMs)).toISOString()
  }
}
