import type { CallPriority } from '#contract/bff/call-ledger.ts'

export type Caller = {
  priority: CallPriority
  /** Id of the account that waits; null for the sync of stored threats. */
  who: string | null
  /** Id of the session that waits: one of them cannot spend what is the team's. */
  session: string | null
  /** Every other call of its priority comes first. */
  isBackground?: boolean
  /** An answer that any process got before may serve instead of a call. */
  stored?: StoredWish
}

export type StoredWish = {
  /** Epoch milliseconds: older answers do not serve. */
  sinceMs: number
  /** Only a stored answer will do: no call is made. */
  isOnly: boolean
  /** Called with the time of the stored answer that served, epoch milliseconds. */
  onUsed(fetchedAtMs: number): void
}
