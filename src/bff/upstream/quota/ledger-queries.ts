import * as z from 'zod/mini'
import { CALLS_MAX_COUNT, type CallLedger, ledgerCallSchema } from '#contract/bff/call-ledger.ts'
import { routeSetSchema } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { readRows } from '#database/read-rows.ts'

const countSchema = z.object({
  set: routeSetSchema,
  priority: z.string(),
  outcome: z.string(),
  count: z.int(),
})
const hourSchema = z.object({ hour: z.int(), set: routeSetSchema, calls: z.int() })

/** The newest calls, and those of each hour of the UTC day. A call that is still under way is not yet listed. */
export async function readLedger(db: Database, nowMs: number): Promise<CallLedger> {
  const [calls, hours] = await Promise.all([readNewest(db, nowMs), readHours(db, nowMs)])
  return { calls, hours }
}

/** A call without an outcome a minute later was cut off by the end of its process. */
async function readNewest(db: Database, nowMs: number): Promise<CallLedger['calls']> {
  return readRows(db, ledgerCallSchema, [nowMs, CALLS_MAX_COUNT])`
    select ${isoUtc('at')} as at,
           route_set as set, route, priority, account.email as who, coalesce(outcome, 'failed') as outcome,
           status, duration_ms as "durationMs"
      from upstream_call left join account on account.id::text = account_id
     where outcome is not null or at < to_timestamp($1::float8 / 1000) - interval '1 minute'
     order by upstream_call.at desc, upstream_call.id desc
     limit $2`
}

async function readHours(db: Database, nowMs: number): Promise<CallLedger['hours']> {
  return readRows(db, hourSchema, [nowMs])`
    select extract(hour from at at time zone 'utc')::int as hour, route_set as set, count(*) as calls
      from upstream_call
     where at >= date_trunc('day', to_timestamp($1::float8 / 1000), 'utc') and outcome is distinct from 'saved'
     group by 1, 2
     order by 1, 2`
}

export type CallCount = z.infer<typeof countSchema>

/** The calls of the UTC day, by what came of them. */
export async function countCallsToday(db: Database, nowMs: number): Promise<CallCount[]> {
  return readRows(db, countSchema, [nowMs])`
    select route_set as set, priority, coalesce(outcome, 'under way') as outcome, count(*) as count
      from upstream_call
     where at >= date_trunc('day', to_timestamp($1::float8 / 1000), 'utc')
     group by 1, 2, 3`
}
