import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { STALE_MAX_MS } from '#bff/http/answer-cache.ts'
import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Database } from '#database/database.ts'
import type { StoredWish } from './caller.ts'
import {
  claimAnswer,
  deleteOldAnswers,
  findAnswer,
  releaseAnswer,
  writeAnswer,
} from './stored-answer-queries.ts'
import { staleReasonOf } from './to-problem.ts'
import { UpstreamError } from './upstream-error.ts'

/** A call may take this long. */
const CLAIM_FOR_MS = 12_000
const WAIT_STEP_MS = 100
const WAIT_STEPS_MAX = CLAIM_FOR_MS / WAIT_STEP_MS
const ANSWER_MAX_LENGTH = 1024 * 1024
const PRUNE_EVERY_WRITES = 50

type StoredAnswersOptions = { database: Database; clock: Clock; log: Log }
type Found = { body: unknown }

/** The vendor's answers as any process got them: each request is made by one process at a time. */
export class StoredAnswers {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #claimant = randomUUID()
  #writes = 0

  constructor({ database, clock, log }: StoredAnswersOptions) {
    this.#database = database
    this.#clock = clock
    this.#log = log
  }

  /** Gives what is stored, or waits for the process that is calling, or calls. Without the database a call is refused. */
  async read(requestHash: Buffer, wish: StoredWish, call: () => Promise<unknown>): Promise<unknown> {
    if (wish.isOnly) {
      const found = await this.#orNull(() => this.#find(requestHash, wish))
      if (found) return found.body
      throw new UpstreamError({ set: null, kind: 'unavailable', reason: 'nothing is stored' })
    }

    for (let step = 0; step < WAIT_STEPS_MAX; step += 1) {
      const isMine = await this.#orNull(() => this.#take(requestHash))
      if (isMine === false) await sleep(WAIT_STEP_MS)
      // Another process may have stored its answer before the claim.
      const brought = await this.#orNull(() => this.#find(requestHash, wish))
      if (brought && isMine) await this.#release(requestHash, false)
      if (brought) return brought.body
      if (isMine !== false) break
    }
    return this.#callAndStore(requestHash, call)
  }

  async #find(requestHash: Buffer, { sinceMs, onUsed }: StoredWish): Promise<Found | null> {
    const leastMs = Math.max(sinceMs, this.#clock.nowMs() - STALE_MAX_MS)
    const found = await findAnswer(this.#database, requestHash, leastMs)
    if (!found) return null
    onUsed(found.fetchedAtMs)
    return { body: JSON.parse(found.answer) }
  }

  #take(requestHash: Buffer): Promise<boolean> {
    const nowMs = this.#clock.nowMs()
    return claimAnswer(this.#database, requestHash, {
      claimant: this.#claimant,
      nowMs,
      untilMs: nowMs + CLAIM_FOR_MS,
    })
  }

  async #callAndStore(requestHash: Buffer, call: () => Promise<unknown>): Promise<unknown> {
    try {
      const body = await call()
      const answer = JSON.stringify(body)
      const fetchedAtMs = this.#clock.nowMs()
      if (answer.length > ANSWER_MAX_LENGTH) await this.#release(requestHash, true)
      else await this.#orNull(() => writeAnswer(this.#database, requestHash, { answer, fetchedAtMs }))
      this.#writes += 1
      if (this.#writes % PRUNE_EVERY_WRITES === 0) {
        await this.#orNull(() => deleteOldAnswers(this.#database, fetchedAtMs - STALE_MAX_MS))
      }
      return body
    } catch (error) {
      await this.#release(requestHash, staleReasonOf(error) === null)
      throw error
    }
  }

  async #release(requestHash: Buffer, isGone: boolean): Promise<void> {
    await this.#orNull(() => releaseAnswer(this.#database, requestHash, { claimant: this.#claimant, isGone }))
  }

  async #orNull<T>(run: () => Promise<T>): Promise<T | null> {
    try {
      return await run()
    } catch (error) {
      this.#log.error('stored-answers-away', error)
      return null
    }
  }
}
