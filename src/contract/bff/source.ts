import * as z from 'zod/mini'

export const setStateSchema = z.object({
  /** `unknown` until the first answer. */
  status: z.enum(['unknown', 'permitted', 'forbidden']),
  /** The vendor's words on a refusal; null otherwise. Third-party text. */
  reason: z.nullable(z.string()),
  /** Calls of the window that the vendor's headers last told of; null before the first. */
  budget: z.nullable(
    z.object({
      limit: z.nullable(z.int()),
      remaining: z.nullable(z.int()),
      resetsAt: z.nullable(z.iso.datetime()),
    }),
  ),
  /** No call is made before this time (a 429 said so); null when calls are free to go. */
  blockedUntil: z.nullable(z.iso.datetime()),
})
export type SetState = z.infer<typeof setStateSchema>

/** Answer of `GET /bff/source`: where the data comes from and what the key may do, as found out. Costs no call. */
export const sourceSchema = z.object({
  kind: z.enum(['embedded', 'vendor']),
  /** True while the source says that it holds generated records. */
  isDemo: z.boolean(),
  key: z.enum(['missing', 'unknown', 'valid', 'invalid']),
  sets: z.object({ v1: setStateSchema, earlier: setStateSchema }),
  trialExpiresAt: z.nullable(z.iso.datetime()),
  /** The known categories and all others seen in records so far. */
  categories: z.array(z.string()),
})
export type Source = z.infer<typeof sourceSchema>
