import * as z from 'zod/mini'

/** One of the vendor's rate windows, as an answer told it. Times are epoch milliseconds. */
const toldWindowSchema = z.object({
  limit: z.nullable(z.int()),
  remaining: z.nullable(z.int()),
  resetsAtMs: z.number(),
  /** The call whose answer told. What was called after it is not yet in `remaining`. */
  toldBy: z.int(),
  toldAtMs: z.number(),
  /** A limit that nobody told, but a refusal after so many calls: it is tried again after this time. */
  guessedUntilMs: z.nullable(z.number()),
})
export type ToldWindow = z.infer<typeof toldWindowSchema>

/** That the plan does not include something, in the vendor's words. */
const forbiddenSchema = z.object({ untilMs: z.number(), words: z.nullable(z.string()) })

/** What is known of one key on one route set, by all processes together. */
export const budgetStateSchema = z.object({
  minute: z.nullable(toldWindowSchema),
  day: z.nullable(toldWindowSchema),
  /** The last answer of any kind. */
  answeredAtMs: z.nullable(z.number()),
  /** A call is finding out what holds now; the others wait for it. */
  probe: z.nullable(z.object({ callId: z.int(), untilMs: z.number() })),
  isPermitted: z.boolean(),
  forbidden: z.nullable(forbiddenSchema),
  /** The same of single routes, by their names. */
  forbiddenRoutes: z._default(z.record(z.string(), forbiddenSchema), {}),
  block: z.nullable(z.object({ untilMs: z.number(), kind: z.enum(['rate_limited', 'daily_limit_reached']) })),
  /** Refusals in a row that did not say how long to wait. */
  unstatedWaits: z.int(),
  failures: z.int(),
  breaker: z.nullable(z.object({ untilMs: z.number(), forMs: z.number() })),
  trialExpiresAt: z.nullable(z.string()),
  isDemo: z.boolean(),
  isOwnService: z._default(z.boolean(), false),
  /** Another number is another plan: what the one before could read may not be shown any more. */
  plan: z._default(z.int(), 0),
})
export type BudgetState = z.infer<typeof budgetStateSchema>

/** Nothing is known: the first call is a probe. */
export const UNKNOWN_BUDGET: BudgetState = {
  minute: null,
  day: null,
  answeredAtMs: null,
  probe: null,
  isPermitted: false,
  forbidden: null,
  forbiddenRoutes: {},
  block: null,
  unstatedWaits: 0,
  failures: 0,
  breaker: null,
  trialExpiresAt: null,
  isDemo: false,
  isOwnService: false,
  plan: 0,
}
