import type { Representation } from '#bff/representation.ts'
import type { Role } from '#contract/bff/session.ts'

const MAX_BYTES = 32 * 1024 * 1024
const MAX_COUNT = 1_000

type CachedAnswer = { representation: Representation; freshUntil: number }

/** Answers that may be served again, as bytes, to any reader of the same role until they go stale. */
export class AnswerCache {
  readonly #clock: () => number
  readonly #answers = new Map<string, CachedAnswer>()
  #bytes = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** `target` is the request's path and query, as sent. */
  get(role: Role, target: string): Representation | undefined {
    const answer = this.#answers.get(`${role} ${target}`)
    return answer && answer.freshUntil > this.#clock() ? answer.representation : undefined
  }

  set(role: Role, target: string, representation: Representation, freshForMs: number): void {
    const key = `${role} ${target}`
    this.#delete(key)
    this.#answers.set(key, { representation, freshUntil: this.#clock() + freshForMs })
    this.#bytes += representation.size
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= MAX_BYTES && this.#answers.size <= MAX_COUNT) break
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    const answer = this.#answers.get(key)
    if (!answer) return
    this.#answers.delete(key)
    this.#bytes -= answer.representation.size
  }
}
