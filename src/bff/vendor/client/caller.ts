import type { CallPriority } from '#contract/bff/call-ledger.ts'

/** For whom a call is made. */
export type Caller = {
  priority: CallPriority
  /** Id of the account that waits; null for the reader of the window. */
  who: string | null
  /** Id of the session that waits: one of them cannot spend what is the team's. */
  session: string | null
  /** What any process got before may serve in the place of a call. */
  stored?: StoredWish
}

export type StoredWish = {
  /** Epoch milliseconds: what was got before does not serve. */
  sinceMs: number
  /** Tells answers to one question apart that must be of different moments. */
  moment?: string
  /** No call is made. */
  isOnly: boolean
  /** Hears of the age of what served. */
  onUsed(fetchedAtMs: number): void
}
