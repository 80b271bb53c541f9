import { LRUCache } from 'lru-cache'
import type { Role } from '#contract/bff/session.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Representation } from './representation.ts'

/** Older answers are no longer shown, whatever keeps newer data away. */
export const STALE_MAX_MS = DAY_MS
const MAX_BYTES = 32 * 1024 * 1024
const MAX_COUNT = 1_000

type CachedAnswer = { representation: Representation; freshUntil: number }

/** Answers that may be served again, as bytes, to any reader of the same role until they go stale. */
export class AnswerCache {
  readonly #clock: () => number
  readonly #answers = new LRUCache<string, CachedAnswer>({
    max: MAX_COUNT,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ representation }) => representation.size,
  })
  #generation = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Rises with `forget` and `outdate`: an answer that was begun before may contain older data. */
  get generation(): number {
    return this.#generation
  }

  /** `target` is the request's path and query, as sent. */
  get(role: Role, target: string): Representation | undefined {
    const answer = this.#answers.get(keyOf(role, target))
    return answer && answer.freshUntil > this.#clock() ? answer.representation : undefined
  }

  /** Returns the last answer, even if it is no longer fresh. */
  getOld(role: Role, target: string): Representation | undefined {
    const answer = this.#answers.get(keyOf(role, target))
    return answer && answer.freshUntil + STALE_MAX_MS > this.#clock() ? answer.representation : undefined
  }

  set(role: Role, target: string, representation: Representation, freshForMs: number): void {
    const freshUntil = this.#clock() + freshForMs
    this.#answers.set(keyOf(role, target), { representation, freshUntil })
  }

  /** Deletes every answer: none may be shown any more. */
  forget(): void {
    this.#generation += 1
    this.#answers.clear()
  }

  /** Marks every answer stale: there is newer data. */
  outdate(): void {
    this.#generation += 1
    const now = this.#clock()
    for (const answer of this.#answers.values()) answer.freshUntil = Math.min(answer.freshUntil, now)
  }
}

function keyOf(role: Role, target: string): string {
  return `${role} ${target}`
}
