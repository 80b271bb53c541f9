import * as z from 'zod/mini'
import { earlierPlanNameSchema, v1PlanNameSchema } from '#contract/service-key-parts.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { findRow } from '#database/read-rows.ts'

const rowSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  earlierPlan: earlierPlanNameSchema,
  earlierRequestsPerMinute: z.nullable(z.int()),
  v1Plan: v1PlanNameSchema,
  trialExpiresAt: z.nullable(z.iso.datetime()),
  now: z.iso.datetime(),
})
/** A key that is valid at this moment, and the moment. */
export type ValidKey = z.infer<typeof rowSchema>

/** The key of a token; null when there is none, or it has expired, was revoked or replaced. */
export async function findKey(db: Database, tokenHash: Buffer, now: Date | null): Promise<ValidKey | null> {
  return findRow(db, rowSchema, [tokenHash, now])`
    select id, account_id as "accountId", earlier_plan as "earlierPlan",
      earlier_requests_per_minute as "earlierRequestsPerMinute", v1_plan as "v1Plan",
      ${isoUtc('trial_expires_at')} as "trialExpiresAt",
      ${isoUtc('clock.now')} as now
      from api_key, (select coalesce($2::timestamptz, now()) as now) clock
     where token_hash = $1
       and (ends_at is null or ends_at > clock.now)
       and (trial_expires_at is null or trial_expires_at > clock.now)`
}
