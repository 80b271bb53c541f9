import * as z from 'zod/mini'
import { earlierPlanNameSchema, keyLabelSchema, v1PlanNameSchema } from '#contract/service-key-parts.ts'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'
import { createToken, hashToken } from './key-token.ts'

const TRIAL_DAYS = 14
const TRIAL_DAYS_MAX = 3_650
const REQUESTS_MAX = 1_000_000

function countSchema(maximum: number) {
  const error = `must be a whole number from 1 to ${maximum}`
  return z.int(error).check(z.gte(1, error), z.lte(maximum, error))
}

/** The options of a new key. A trial runs for 14 days by default. */
export const newKeySchema = z
  .strictObject({
    /** The team; keys of one team share its alert profiles. */
    account: keyLabelSchema,
    name: keyLabelSchema,
    earlierPlan: z._default(earlierPlanNameSchema, 'none'),
    v1Plan: z._default(v1PlanNameSchema, 'none'),
    /** Enterprise only. */
    earlierRequestsPerMinute: z.optional(countSchema(REQUESTS_MAX)),
    /** Trial only. */
    trialDays: z.optional(countSchema(TRIAL_DAYS_MAX)),
  })
  .check(
    z.refine((key) => key.earlierRequestsPerMinute === undefined || key.earlierPlan === 'enterprise', {
      path: ['earlierRequestsPerMinute'],
      error: 'is for the Enterprise plan',
    }),
    z.refine((key) => key.trialDays === undefined || key.v1Plan === 'trial', {
      path: ['trialDays'],
      error: 'is for the Trial plan',
    }),
  )
export type NewKey = z.input<typeof newKeySchema>

const createdSchema = z.object({ id: z.string() })

/** Makes a key, and its account when that is new. The token is answered here and never again. */
export async function createKey(db: Database, key: NewKey): Promise<{ id: string; token: string }> {
  const { account, name, earlierPlan, v1Plan, earlierRequestsPerMinute, trialDays } = newKeySchema.parse(key)
  const token = createToken()
  const row = await readRow(db, createdSchema, [
    account,
    name,
    hashToken(token),
    earlierPlan,
    earlierRequestsPerMinute,
    v1Plan,
    v1Plan === 'trial' ? (trialDays ?? TRIAL_DAYS) : null,
  ])`
    with team as (
      insert into account (name) values ($1)
      on conflict (name) do update set name = excluded.name
      returning id
    )
    insert into api_key (account_id, name, token_hash, earlier_plan, earlier_requests_per_minute, v1_plan,
      trial_expires_at)
    select id, $2, $3, $4, $5, $6, now() + make_interval(days => $7::integer) from team
    returning id`
  return { id: row.id, token }
}
