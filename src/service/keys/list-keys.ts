import * as z from 'zod/mini'
import { earlierPlanNameSchema, v1PlanNameSchema } from '#contract/service-key-parts.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'

const rowSchema = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  earlierPlan: earlierPlanNameSchema,
  v1Plan: v1PlanNameSchema,
  status: z.enum(['active', 'ending', 'ended', 'expired']),
  /** The end of a trial or an overlap; null for keys without end. */
  endsAt: z.nullable(z.string()),
  requestsToday: z.int(),
})
export type ListedKey = z.infer<typeof rowSchema>

/** All keys, by account and age. Their tokens are not kept, so none can be shown. */
export async function listKeys(db: Database): Promise<ListedKey[]> {
  return readRows(db, rowSchema)`
    select k.id, a.name as account, k.name, k.earlier_plan as "earlierPlan", k.v1_plan as "v1Plan",
      case
        when k.ends_at <= now() then 'ended'
        when k.trial_expires_at <= now() then 'expired'
        when k.ends_at is not null then 'ending'
        else 'active'
      end as status,
      to_char(least(k.ends_at, k.trial_expires_at) at time zone 'utc', 'YYYY-MM-DD HH24:MI"Z"') as "endsAt",
      (select coalesce(sum(requests), 0)::integer
         from request_day
        where key_id = k.id and day = (now() at time zone 'utc')::date) as "requestsToday"
      from api_key k join account a on a.id = k.account_id
     order by a.name, k.created_at, k.id`
}
