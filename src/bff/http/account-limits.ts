import { MINUTE_MS } from '#contract/duration.ts'
import { ProblemError } from './problem-error.ts'

/** Limits how often one account, or one address on a public route, may request what takes much of this process. */
export type AccountLimit = {
  /** Routes with the same name are counted together. */
  name: string
  atOnce: number
  perMinute: number
  /** A person can do this instead of repeating the request. */
  remedy: string
}

/** More than people come by, also with several tabs: a file of all that is stored takes seconds of this process. */
export const EXPORTS: AccountLimit = {
  name: 'exports',
  atOnce: 2,
  perMinute: 10,
  remedy:
    'Let those under way end, or put more into one file: a wider filter holds what several narrow ones do.',
}
/** The builder asks when typing rests, at most twice a second. */
export const BACKTESTS: AccountLimit = {
  name: 'backtests',
  atOnce: 8,
  perMinute: 120,
  remedy: 'Write all keywords of the draft, then look at what they find together.',
}
/** Messages that try a destination. */
export const TESTS: AccountLimit = {
  name: 'tests',
  atOnce: 2,
  perMinute: 10,
  remedy: 'The ledger says what became of those that were sent.',
}
/** Each is a call at the vendor, and a row in the database. */
export const FULL_TEXT_SEARCHES: AccountLimit = {
  name: 'full-text searches',
  atOnce: 2,
  perMinute: 20,
  remedy: 'The same words are not searched twice within an hour: look at what the last search found.',
}

/** Some providers of mail press the links of many people. */
export const UNSUBSCRIPTIONS: AccountLimit = {
  name: 'links to stop messages',
  atOnce: 8,
  perMinute: 60,
  remedy: 'A link that was opened before needs no other press.',
}

/** Nobody knows when one that is under way will end. */
const UNDER_WAY_WAIT_MS = 5_000

/** The limit counts an account or a network. */
type Caller = { kind: 'account' | 'address'; id: string }
type Use = { underWay: number; begunAt: readonly number[] }

/** Limits protect this process's time and memory, so they are its own. They count the requests of the last minute. */
export function createAccountLimits(clock: () => number = () => performance.now()) {
  const uses = new Map<string, Use>()

  function forgetIdle(now: number): void {
    for (const [key, { underWay, begunAt }] of uses) {
      if (underWay === 0 && begunAt.every((at) => at <= now - MINUTE_MS)) uses.delete(key)
    }
  }

  return {
    /** Counts one more, until what it answers is called. Throws where the caller has too many. */
    begin(limit: AccountLimit, caller: Caller): () => void {
      const now = clock()
      forgetIdle(now)
      const key = JSON.stringify([limit.name, caller.kind, caller.id])
      const { underWay, begunAt } = uses.get(key) ?? { underWay: 0, begunAt: [] }
      const recent = begunAt.filter((at) => at > now - MINUTE_MS)
      const [oldest = now] = recent
      if (recent.length >= limit.perMinute) throw tooMany(limit, caller, oldest + MINUTE_MS - now)
      if (underWay >= limit.atOnce) throw tooMany(limit, caller, UNDER_WAY_WAIT_MS)
      uses.set(key, { underWay: underWay + 1, begunAt: [...recent, now] })

      let isOver = false
      return () => {
        const use = uses.get(key)
        if (use && !isOver) uses.set(key, { ...use, underWay: use.underWay - 1 })
        isOver = true
      }
    },
  }
}

export type AccountLimits = ReturnType<typeof createAccountLimits>

function tooMany(
  { name, atOnce, perMinute, remedy }: AccountLimit,
  { kind }: Caller,
  waitMs: number,
): ProblemError {
  return new ProblemError({
    code: 'too_many_requests',
    title: `Too many ${name} by your ${kind}`,
    detail: `One ${kind} may have ${atOnce} at once and ${perMinute} a minute. ${remedy}`,
    retryAt: new Date(Date.now() + waitMs).toISOString(),
  })
}
