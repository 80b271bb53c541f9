import * as z from 'zod/mini'
import { gapReasonSchema } from './coverage.ts'
import { missingSchema } from './freshness.ts'

/** One of the vendor's limit periods, by its headers and our own count. */
export const callBudgetSchema = z.object({
  limit: z.nullable(z.int()),
  remaining: z.nullable(z.int()),
  resetsAt: z.nullable(z.iso.datetime()),
})
export type CallBudget = z.infer<typeof callBudgetSchema>

/** Why the last call on a route set brought no data. `refused` is the request, not the key. */
export const callFailureSchema = z.enum([
  ...['unavailable', 'timeout', 'unreadable', 'web_page'],
  ...['refused', 'key_refused', 'told_to_wait', 'forbidden', 'absent'],
] as const)
export type CallFailure = z.infer<typeof callFailureSchema>

export const setStateSchema = z.object({
  /**
   * `unknown` until a call has brought data. `forbidden`: the plan does not include it; `absent`: the vendor does not
   * have it; `withoutList`: the vendor has no list of threats there, but answers other routes, such as alert profiles.
   */
  status: z.enum(['unknown', 'permitted', 'forbidden', 'absent', 'withoutList']),
  /** The vendor's words on a refusal; null otherwise. Third-party text. */
  reason: z.nullable(z.string()),
  /** Null while no such limit period was reported: not every plan has both. */
  budgets: z.object({ minute: z.nullable(callBudgetSchema), day: z.nullable(callBudgetSchema) }),
  /** No call is made before this time, which a 429 set. Null when calls are allowed. */
  blockedUntil: z.nullable(z.iso.datetime()),
  /** How the last call ended, where it brought no data and the status does not say so; `retryAt`: before it no other goes out. */
  failure: z.optional(
    z.object({ at: z.iso.datetime(), why: callFailureSchema, retryAt: z.nullable(z.iso.datetime()) }),
  ),
})
export type SetState = z.infer<typeof setStateSchema>

/** Describes the stored threats of the vendor. */
export const storeStateSchema = z.object({
  /** `partial` where all was read that can be, and records are known to be missing. */
  status: z.enum(['empty', 'filling', 'partial', 'complete']),
  /** The time that is stored without a gap, ISO 8601 UTC; null while empty. */
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  threats: z.int(),
  /** Why nothing older is stored; absent while empty, and where nothing older exists. */
  beyond: z.optional(gapReasonSchema),
  /** When the sync last called the vendor with success. */
  lastReadAt: z.nullable(z.iso.datetime()),
  /** Why it is not being filled or kept up, for a person; null while all is well. */
  trouble: z.nullable(z.string()),
  /** Absent where nothing is known to be missing. */
  missing: z.optional(missingSchema),
})
export type StoreState = z.infer<typeof storeStateSchema>

/** The settings HISTORY_DAYS, 0 for all, and HISTORY_RECORDS. */
const historySchema = z.object({ days: z.int(), records: z.int() })

/** The word of answers and metrics for a key that the vendor refuses. */
export const REFUSED_KEY_STATE = 'invalid'

/** Answer of `GET /bff/source`: where the data comes from and what the key may do, as found out. Costs no call. */
export const sourceSchema = z.object({
  kind: z.enum(['embedded', 'vendor']),
  /** True while the vendor says that it holds generated records. */
  isDemo: z.boolean(),
  /** True while the vendor says that it is Lantern's own service, whoever runs it: the dashboard sends for its profiles. */
  isOwnService: z.boolean(),
  key: z.enum(['missing', 'unknown', 'valid', REFUSED_KEY_STATE]),
  sets: z.object({ v1: setStateSchema, earlier: setStateSchema }),
  /**
   * Problems that an operator has to mend, and how: of the database, for everybody; of the connection to the vendor,
   * for admins. Null or absent without one.
   */
  trouble: z.optional(z.nullable(z.string())),
  window: storeStateSchema,
  /** How much is kept; absent where only what is stored is known. */
  history: z.optional(historySchema),
  trialExpiresAt: z.nullable(z.iso.datetime()),
  /** The known categories and all others seen in records so far. */
  categories: z.array(z.string()),
})
export type Source = z.infer<typeof sourceSchema>
