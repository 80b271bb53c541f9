import type { Role } from '#contract/bff/session.ts'
import type { Representation } from './representation.ts'

/** What is older is not shown any more, whatever keeps newer data away. */
export const STALE_MAX_MS = 24 * 3_600_000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_COUNT = 1_000

type CachedAnswer = { role: Role; target: string; representation: Representation; freshUntil: number }

/** Answers that may be served again, as bytes, to any reader of the same role until they go stale. */
export class AnswerCache {
  readonly #clock: () => number
  readonly #byRole: Readonly<Record<Role, Map<string, CachedAnswer>>> = {
    viewer: new Map(),
    analyst: new Map(),
    admin: new Map(),
  }
  /** Oldest first. */
  readonly #answers = new Set<CachedAnswer>()
  #bytes = 0
  #generation = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Another number than before: what was made meanwhile may hold what was to be forgotten. */
  get generation(): number {
    return this.#generation
  }

  /** `target` is the request's path and query, as sent. */
  get(role: Role, target: string): Representation | undefined {
    const answer = this.#byRole[role].get(target)
    return answer && answer.freshUntil > this.#clock() ? answer.representation : undefined
  }

  /** What was last answered, though it is not fresh any more. */
  getOld(role: Role, target: string): Representation | undefined {
    const answer = this.#byRole[role].get(target)
    return answer && answer.freshUntil + STALE_MAX_MS > this.#clock() ? answer.representation : undefined
  }

  set(role: Role, target: string, representation: Representation, freshForMs: number): void {
    const previous = this.#byRole[role].get(target)
    if (previous) this.#delete(previous)
    const answer = { role, target, representation, freshUntil: this.#clock() + freshForMs }
    this.#byRole[role].set(target, answer)
    this.#answers.add(answer)
    this.#bytes += representation.size
    for (const oldest of this.#answers) {
      if (this.#bytes <= MAX_BYTES && this.#answers.size <= MAX_COUNT) break
      this.#delete(oldest)
    }
  }

  /** Drops the answers of paths that begin so. */
  forget(prefix: string): void {
    this.#generation += 1
    for (const answer of this.#answers) if (answer.target.startsWith(prefix)) this.#delete(answer)
  }

  /** There is something newer: nothing is fresh any more. */
  outdate(): void {
    this.#generation += 1
    const now = this.#clock()
    for (const answer of this.#answers) answer.freshUntil = Math.min(answer.freshUntil, now)
  }

  #delete(answer: CachedAnswer): void {
    this.#byRole[answer.role].delete(answer.target)
    this.#answers.delete(answer)
    this.#bytes -= answer.representation.size
  }
}
