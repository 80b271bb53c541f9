import type { CallPriority } from '#contract/bff/call-ledger.ts'

/** For whom a call is made. */
export type Caller = {
  priority: CallPriority
  /** Id of the account that waits; null for the reader of the window. */
  who: string | null
  /** Id of the session that waits: one of them cannot spend what is the team's. */
  session: string | null
}
