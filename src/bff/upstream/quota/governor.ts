import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import type { RateFacts } from '#bff/upstream/client/rate-facts.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { SetState } from '#contract/bff/source.ts'
import type { Database } from '#database/database.ts'
import { admitCalls, type Refusal, standingRefusal, type Verdict } from './admit-call.ts'
import {
  type BudgetName,
  countUsage,
  lockBudget,
  readBudget,
  type StoredBudget,
  UNKNOWN_STORED,
  writeBudget,
} from './budget-queries.ts'
import {
  type BudgetState,
  dayStartMs,
  expireState,
  hasLimit,
  NO_USAGE,
  PROBE_FOR_MS,
  toSetState,
  type Usage,
} from './budget-state.ts'
import { type CallEnd, countCallsSince, endCalls, insertCalls } from './call-queries.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { deleteRefusedKey, KEY_RETRY_MAX_MS, takeRetry, writeRefusedKey } from './refused-key-queries.ts'
import type { UsualHours } from './rest-of-day.ts'
import { createUsualHours } from './usual-hours.ts'

const WAIT_STEP_MS = 100
const WAIT_STEPS_MAX = 100
/** Longer than the database's own limit for a statement; a connection that hangs has none. */
const TURN_MAX_MS = 6_000
const AWAY_FOR_MS = 500
/** A refusal is written into the ledger this often, however often it is met. */
const SAVED_EVERY_MS = 10_000

export type CallResult = CallEnd & { budgetOutcome: Outcome; facts: RateFacts | null }
type EndedCall = CallResult & { callId: number; nowMs: number }
type Pending = { call: GovernedCall; decision: PromiseWithResolvers<Decision> }

export type GovernorOptions = BudgetName & { database: Database; clock: Clock; log: Log }

/** Decides which calls go out on one key and route set, together with every other process on the database. */
export class Governor {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #name: BudgetName
  readonly #usualHours: ReturnType<typeof createUsualHours>
  /** The state in the database. */
  #known: StoredBudget = UNKNOWN_STORED
  /** The outcomes of these calls could not be written yet: no call is decided without them. */
  #unwritten: EndedCall[] = []
  /** Calls to be decided on. */
  #pending: Pending[] = []
  /** The budget's row is locked by one at a time anyway: those who wait here hold no connection, and share the next turn. */
  #turn: Promise<void> = Promise.resolve()
  /** Monotonic milliseconds. */
  #awayUntil = 0
  #savedRefusalAtMs = Number.NEGATIVE_INFINITY

  constructor({ database, clock, log, ...name }: GovernorOptions) {
    this.#database = database
    this.#clock = clock
    this.#log = log
    this.#name = name
    this.#usualHours = createUsualHours(name.set)
  }

  /** The state as last read from the database; `readState` reads it again. */
  get known(): BudgetState {
    return expireState(this.#known.state, this.#clock.nowMs())
  }

  /** The number of the plan; null while nothing was read. */
  get plan(): number | null {
    return this.#known === UNKNOWN_STORED ? null : this.#known.state.plan
  }

  get isKeyRefused(): boolean {
    return this.#known.keyRefusal !== null
  }

  /** Returns true if anything of the set was answered since it was last found to be closed. */
  get isPermitted(): boolean {
    return this.#known.state.isPermitted
  }

  /** True while the vendor is known not to have the set. */
  get isAbsent(): boolean {
    const { forbidden } = this.known
    return forbidden?.absent !== undefined && forbidden.untilMs > this.#clock.nowMs()
  }

  /** The vendor's refusal of the key; null while the key is not known to be refused. */
  get keyRefusal(): StoredBudget['keyRefusal'] {
    return this.#known.keyRefusal
  }

  /** False while the key is known to be refused, or its plan not to include the set. */
  get mayPermit(): boolean {
    const { forbidden } = this.known
    const nowMs = this.#clock.nowMs()
    if (this.#standingKeyRefusal(nowMs)) return false
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
  async complete(callId: number, result: CallResult): Promise<void> {
    this.#unwritten.push({ ...result, callId, nowMs: this.#clock.nowMs() })
    await this.#inTurn()
  }

  async readState(): Promise<SetState> {
    const nowMs = this.#clock.nowMs()
    try {
      this.#known = await readBudget(this.#database, this.#name)
      const state = this.known
      const usage = await countUsage(this.#database, this.#name, { state, session: null, nowMs })
      return toSetState(state, usage, { nowMs, keyRetryAtMs: this.keyRefusal?.retryAtMs ?? null })
    } catch (error) {
      this.#log.error('budget-not-read', error)
      return toSetState(this.known, null, { nowMs, keyRetryAtMs: this.keyRefusal?.retryAtMs ?? null })
    }
  }

  async #decide(call: GovernedCall): Promise<Decision> {
    // A known refusal stands until its time, whatever others do.
    const nowMs = this.#clock.nowMs()
    const standing = this.#standingKeyRefusal(nowMs) ?? standingRefusal(this.known, call.route, nowMs)
    if (standing) return { kind: 'refused', refusal: standing }
    const pending: Pending = { call, decision: Promise.withResolvers() }
    this.#pending.push(pending)
    void this.#inTurn()
    try {
      return await pending.decision.promise
    } catch (error) {
      this.#log.error('call-not-counted', error)
      throw this.#error('uncounted', 'the database is away')
    }
  }

  /** Done once all that waits now is: by this turn, or by one before. Never fails. */
  #inTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#takeTurn())
    return this.#turn
  }

  async #takeTurn(): Promise<void> {
    const due = [...this.#unwritten]
    const pending = this.#pending.splice(0)
    if (due.length + pending.length === 0) return
    try {
      const decisions = await this.#transact(due, pending)
      this.#unwritten = this.#unwritten.filter((call) => !due.includes(call))
      for (const [at, decision] of decisions.entries()) pending[at]?.decision.resolve(decision)
    } catch (error) {
      if (due.length > 0) this.#log.error('call-not-written-down', error)
      for (const { decision } of pending) decision.reject(error)
    }
  }

  /** Writes outcomes down and decides on calls, in a transaction of its own. */
  async #transact(due: readonly EndedCall[], pending: readonly Pending[]): Promise<Decision[]> {
    // Calls that queued behind a failure do not wait for another one.
    if (performance.now() < this.#awayUntil) throw new Error('The database was away a moment ago')
    const transaction = this.#database.transaction(async (tx) => {
      const locked = await lockBudget(tx, this.#name)
      const stored = due.length > 0 ? await this.#writeOutcomes(tx, locked, due) : locked
      const calls = pending.map(({ call }) => call)
      return { stored, decisions: calls.length > 0 ? await this.#decideOn(tx, stored, calls) : [] }
    })
    const { stored, decisions } = await within(TURN_MAX_MS, transaction).catch((error: unknown) => {
      this.#awayUntil = performance.now() + AWAY_FOR_MS
      throw error
    })
    this.#known = stored
    return decisions
  }

  async #decideOn(tx: Database, stored: StoredBudget, calls: readonly GovernedCall[]): Promise<Decision[]> {
    this.#known = stored
    const nowMs = this.#clock.nowMs()
    const refusal = this.#standingKeyRefusal(nowMs)
    if (refusal) return calls.map(() => ({ kind: 'refused', refusal }))
    const state = expireState(stored.state, nowMs)
    const usualHours = await this.#usualHours(tx, nowMs)
    const decisions = await decideCalls(tx, this.#name, calls, { stored, state, usualHours, nowMs })
    const saved = calls.find((_, at) => isRefused(decisions[at]))
    if (saved && nowMs - this.#savedRefusalAtMs >= SAVED_EVERY_MS) {
      this.#savedRefusalAtMs = nowMs
      await insertCalls(tx, this.#name, [saved], { nowMs, outcome: 'saved' })
    }
    return decisions
  }

  async #writeOutcomes(
    tx: Database,
    stored: StoredBudget,
    ended: readonly EndedCall[],
  ): Promise<StoredBudget> {
    const { keyFingerprint } = this.#name
    let { state } = stored
    let isKeyTouched = false
    for (const { callId, nowMs, budgetOutcome, facts } of ended) {
      // The call may have ended a while ago: only the clock of now says whether the state is of the future.
      state = expireState(state, this.#clock.nowMs())
      const isWaiting = budgetOutcome.kind === 'told_to_wait'
      const usedToday = isWaiting ? await countCallsSince(tx, this.#name, dayStartMs(state.day, nowMs)) : null
      state = recordOutcome(state, { callId, outcome: budgetOutcome, facts, nowMs, usedToday })
      if (budgetOutcome.kind === 'key_refused') {
        await writeRefusedKey(tx, keyFingerprint, { callId, nowMs, words: budgetOutcome.words })
        isKeyTouched = true
      } else if (stored.keyRefusal && callId > stored.keyRefusal.callId && showsKeyWorks(budgetOutcome)) {
        await deleteRefusedKey(tx, keyFingerprint)
        isKeyTouched = true
      }
    }
    await endCalls(tx, ended)
    await writeBudget(tx, this.#name, state)
    return isKeyTouched ? readBudget(tx, this.#name) : { ...stored, state }
  }

  #standingKeyRefusal(nowMs: number): Refusal | null {
    const retryAtMs = this.keyRefusal?.retryAtMs ?? null
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

function isRefused(decision: Decision | undefined): boolean {
  return typeof decision === 'object' && decision.kind === 'refused'
}

function showsKeyWorks({ kind }: Outcome): boolean {
  return kind === 'answered' || kind === 'refused' || kind === 'set_forbidden' || kind === 'route_forbidden'
}

type GovernedCall = { route: string; caller: Caller; leastShare?: number }
/** The number of a call that may go out, or why it may not. */
type Decision = number | Exclude<Verdict, { kind: 'go' }>

type Known = { stored: StoredBudget; state: BudgetState; usualHours: UsualHours; nowMs: number }

/** Decides on calls in turn, and counts those that may go out. Call it while the budget is locked. */
async function decideCalls(
  tx: Database,
  name: BudgetName,
  calls: readonly GovernedCall[],
  known: Known,
): Promise<Decision[]> {
  const { stored, state, usualHours, nowMs } = known
  const usages = await countUsages(tx, name, calls, known)
  const requests = calls.map(({ route, caller, leastShare = 0 }) => {
    return { route, caller, leastShare, usualHours, usage: usages.get(caller.session) ?? NO_USAGE }
  })
  const decided = admitCalls(state, requests, nowMs).map((verdict, at) => ({ verdict, at }))
  const going = decided.filter(({ verdict }) => verdict.kind === 'go')
  // A refused key is tried by one call.
  if (stored.keyRefusal && going.length > 0) {
    const retry = { nowMs, forMs: PROBE_FOR_MS }
    going.splice((await takeRetry(tx, name.keyFingerprint, retry)) ? 1 : 0)
  }
  const ids = await insertCalls(
    tx,
    name,
    going.flatMap(({ at }) => calls[at] ?? []),
    { nowMs, outcome: null },
  )
  const callIds = new Map(going.map(({ at }, place) => [at, ids[place]]))
  const probe = going.find(({ verdict }) => verdict.kind === 'go' && verdict.isProbe)
  const probeId = probe && callIds.get(probe.at)
  if (probeId !== undefined) {
    const until = { callId: probeId, untilMs: nowMs + PROBE_FOR_MS }
    await writeBudget(tx, name, { ...expireState(stored.state, nowMs), probe: until })
  }
  return decided.map(({ verdict, at }) =>
    verdict.kind === 'go' ? (callIds.get(at) ?? { kind: 'refused', refusal: keyRefused(null) }) : verdict,
  )
}

/** Counts by session. Without a limit nothing is counted. */
async function countUsages(
  tx: Database,
  name: BudgetName,
  calls: readonly GovernedCall[],
  { state, nowMs }: Known,
): Promise<Map<string | null, Usage>> {
  const usages = new Map<string | null, Usage>()
  if (!hasLimit(state)) return usages
  for (const session of new Set(calls.map(({ caller }) => caller.session)))
    usages.set(session, await countUsage(tx, name, { state, session, nowMs }))
  return usages
}

function keyRefused(retryAtMs: number | null): Refusal {
  return { kind: 'key_refused', reason: 'the key was refused before', words: null, retryAtMs }
}
