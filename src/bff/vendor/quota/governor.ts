import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Caller } from '#bff/vendor/client/caller.ts'
import type { RateFacts } from '#bff/vendor/client/rate-facts.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { SetState } from '#contract/bff/source.ts'
import type { Database } from '#database/database.ts'
import { admitCall, type Refusal, standingRefusal, type Verdict } from './admit-call.ts'
import {
  type BudgetName,
  countUsage,
  lockBudget,
  readBudget,
  type StoredBudget,
  UNKNOWN_STORED,
  writeBudget,
} from './budget-queries.ts'
import { type BudgetState, dayStartMs, expireState, toSetState } from './budget-state.ts'
import { type CallEnd, countCallsSince, endCall, insertCall } from './call-queries.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { deleteRefusedKey, KEY_RETRY_MAX_MS, takeRetry, writeRefusedKey } from './refused-key-queries.ts'
import { SteadyClock } from './steady-clock.ts'
import { createUsualHours } from './usual-hours.ts'

const PROBE_FOR_MS = 12_000
const WAIT_STEP_MS = 100
const WAIT_STEPS_MAX = 100
/** Longer than the database's own limit for a statement; a connection that hangs has none. */
const TURN_MAX_MS = 6_000
const AWAY_FOR_MS = 500
/** A refusal is written into the ledger this often, however often it is met. */
const SAVED_EVERY_MS = 10_000

export type GovernedCall = { route: string; caller: Caller; leastShare?: number }
export type CallResult = CallEnd & { budgetOutcome: Outcome; facts: RateFacts | null }
type Settlement = CallResult & { callId: number; nowMs: number }

export type GovernorOptions = BudgetName & { database: Database; clock: Clock; log: Log }

/** Decides which calls go out on one key and route set, together with every other process on the database. */
export class Governor {
  readonly #database: Database
  readonly #clock: SteadyClock
  readonly #log: Log
  readonly #name: BudgetName
  readonly #usualHours: ReturnType<typeof createUsualHours>
  /** As it is in the database. */
  #known: StoredBudget = UNKNOWN_STORED
  /** What could not be written down yet: no call is decided on without it. */
  #unwritten: Settlement[] = []
  /** The budget's row is locked by one at a time anyway: those who wait here hold no connection meanwhile. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Monotonic milliseconds. */
  #awayUntil = 0
  #savedRefusalAtMs = Number.NEGATIVE_INFINITY

  constructor({ database, clock, log, ...name }: GovernorOptions) {
    this.#database = database
    this.#clock = new SteadyClock(clock)
    this.#log = log
    this.#name = name
    this.#usualHours = createUsualHours(name.set)
  }

  /** As last read from the database; `readState` reads it again. */
  get known(): BudgetState {
    return this.#expire(this.#known.state, this.#clock.nowMs())
  }

  /** The number of the plan; null while nothing was read. */
  get plan(): number | null {
    return this.#known === UNKNOWN_STORED ? null : this.#known.state.plan
  }

  get isKeyRefused(): boolean {
    return this.#known.keyRefusal !== null
  }

  /** Whether anything of the set was answered since it was last found to be closed. */
  get isPermitted(): boolean {
    return this.#known.state.isPermitted
  }

  /** True while the source is known not to have the set. */
  get isAbsent(): boolean {
    const { forbidden } = this.known
    return forbidden?.absent !== undefined && forbidden.untilMs > this.#clock.nowMs()
  }

  /** When a refused key is tried again. */
  get keyRetryAtMs(): number | null {
    return this.#known.keyRefusal?.retryAtMs ?? null
  }

  /** False while the key is known to be refused, or its plan not to include the set. */
  get mayPermit(): boolean {
    const { forbidden } = this.known
    const nowMs = this.#clock.nowMs()
    if (this.#keyRefusal(nowMs)) return false
    return forbidden === null || forbidden.untilMs <= nowMs
  }

  /** Counts a call before it is made, and returns its number. Throws an `UpstreamError` when it is refused or saved. */
  async admit(call: GovernedCall): Promise<number> {
    for (let step = 0; step < WAIT_STEPS_MAX; step += 1) {
      const decided = await this.#decide(call)
      if (typeof decided === 'number') return decided
      if (decided.kind === 'refused') throw this.#toError(decided.refusal, call.route)
      await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS))
    }
    throw this.#error('saving_calls', 'another call takes long to find out what is left')
  }

  /** Records the outcome of a call. Never throws: what cannot be written now is written before the next call. */
  async settle(callId: number, result: CallResult): Promise<void> {
    this.#unwritten.push({ ...result, callId, nowMs: this.#clock.nowMs() })
    await this.#inTurn(null).catch((error: unknown) => this.#log.error('call-not-written-down', error))
  }

  async readState(): Promise<SetState> {
    const nowMs = this.#clock.nowMs()
    try {
      this.#known = await readBudget(this.#database, this.#name)
      const state = this.known
      const usage = await countUsage(this.#database, this.#name, { state, session: null, nowMs })
      return toSetState(state, usage, { nowMs, keyRetryAtMs: this.keyRetryAtMs })
    } catch (error) {
      this.#log.error('budget-not-read', error)
      return toSetState(this.known, null, { nowMs, keyRetryAtMs: this.keyRetryAtMs })
    }
  }

  async #decide(call: GovernedCall): Promise<number | Exclude<Verdict, { kind: 'go' }>> {
    // A known refusal stands until its time, whatever others do.
    const nowMs = this.#clock.nowMs()
    const standing = this.#keyRefusal(nowMs) ?? standingRefusal(this.known, call.route, nowMs)
    if (standing) return { kind: 'refused', refusal: standing }
    try {
      return await this.#inTurn((tx) => this.#decideIn(tx, call))
    } catch (error) {
      this.#log.error('call-not-counted', error)
      throw this.#error('uncounted', 'the database is away')
    }
  }

  /** Runs in a transaction of its own, after the unwritten outcomes: without `run` only if one before has not written them. */
  #inTurn(run: null): Promise<undefined>
  #inTurn<T>(run: (tx: Database) => Promise<T>): Promise<T>
  #inTurn<T>(run: ((tx: Database) => Promise<T>) | null): Promise<T | undefined> {
    const turn = this.#turn.then(async () => {
      if (!run && this.#unwritten.length === 0) return
      // Who queued behind a failure is not held up by one more.
      if (performance.now() < this.#awayUntil) throw new Error('The database was away a moment ago')
      const due = [...this.#unwritten]
      const transaction = this.#database.transaction(async (tx) => {
        const written = due.length > 0 ? await this.#writeDown(tx, due) : null
        return [await run?.(tx), written] as const
      })
      const [result, known] = await within(TURN_MAX_MS, transaction).catch((error: unknown) => {
        this.#awayUntil = performance.now() + AWAY_FOR_MS
        throw error
      })
      if (known) this.#known = known
      this.#unwritten = this.#unwritten.filter((settlement) => !due.includes(settlement))
      return result
    })
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #decideIn(tx: Database, { route, caller, leastShare = 0 }: GovernedCall) {
    const stored = await lockBudget(tx, this.#name)
    this.#known = stored
    const nowMs = this.#clock.nowMs()
    const refusal = this.#keyRefusal(nowMs)
    if (refusal) return { kind: 'refused', refusal } as const
    const state = this.#expire(stored.state, nowMs)
    const usage = await countUsage(tx, this.#name, { state, session: caller.session, nowMs })
    const usualHours = await this.#usualHours(tx, nowMs)
    const verdict = admitCall(state, usage, { route, caller, leastShare, usualHours }, nowMs)
    if (verdict.kind === 'refused' && nowMs - this.#savedRefusalAtMs >= SAVED_EVERY_MS) {
      this.#savedRefusalAtMs = nowMs
      await insertCall(tx, this.#name, { route, caller, nowMs, outcome: 'saved' })
    }
    if (verdict.kind !== 'go') return verdict

    const { keyFingerprint } = this.#name
    if (stored.keyRefusal && !(await takeRetry(tx, keyFingerprint, { nowMs, forMs: PROBE_FOR_MS }))) {
      return { kind: 'refused', refusal: keyRefused(null) } as const
    }
    const callId = await insertCall(tx, this.#name, { route, caller, nowMs, outcome: null })
    if (verdict.isProbe) {
      await writeBudget(tx, this.#name, {
        ...expireState(stored.state, nowMs),
        probe: { callId, untilMs: nowMs + PROBE_FOR_MS },
      })
    }
    return callId
  }

  async #writeDown(tx: Database, settlements: readonly Settlement[]): Promise<StoredBudget> {
    const stored = await lockBudget(tx, this.#name)
    const { keyFingerprint } = this.#name
    let { state } = stored
    for (const { callId, nowMs, budgetOutcome, facts, ...end } of settlements) {
      state = expireState(state, nowMs)
      const usedToday = await countCallsSince(tx, this.#name, dayStartMs(state.day, nowMs))
      state = recordOutcome(state, { callId, outcome: budgetOutcome, facts, nowMs, usedToday })
      await endCall(tx, callId, end)
      if (budgetOutcome.kind === 'key_refused') await writeRefusedKey(tx, keyFingerprint, { callId, nowMs })
      else if (stored.keyRefusal && callId > stored.keyRefusal.callId && showsKeyWorks(budgetOutcome)) {
        await deleteRefusedKey(tx, keyFingerprint)
      }
    }
    await writeBudget(tx, this.#name, state)
    return readBudget(tx, this.#name)
  }

  /** The state by the time as it is now. */
  #expire(state: BudgetState, nowMs: number): BudgetState {
    return expireState(this.#clock.hold(state, nowMs), nowMs)
  }

  #keyRefusal(nowMs: number): Refusal | null {
    const retryAtMs = this.keyRetryAtMs
    if (retryAtMs === null || retryAtMs <= nowMs || retryAtMs - nowMs > KEY_RETRY_MAX_MS) return null
    return keyRefused(retryAtMs)
  }

  #toError(refusal: Refusal, route: string): UpstreamError {
    return new UpstreamError({ set: this.#name.set, ...refusal, route })
  }

  #error(kind: UpstreamError['kind'], reason: string): UpstreamError {
    return new UpstreamError({ set: this.#name.set, kind, reason })
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The database took too long')), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function keyRefused(retryAtMs: number | null): Refusal {
  return { kind: 'key_invalid', reason: 'the key was refused before', words: null, retryAtMs }
}

function showsKeyWorks({ kind }: Outcome): boolean {
  return kind === 'answered' || kind === 'refused' || kind === 'set_forbidden' || kind === 'route_forbidden'
}
