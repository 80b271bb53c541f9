import * as z from 'zod/mini'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { findRow } from '#database/read-rows.ts'
import type { Plan } from '#service/plans/plan.ts'
import { type RateState, rateStateOf, type UsedPeriod } from './rate-state.ts'

export type CountedRequest = {
  keyId: string
  set: RouteSet
  plan: Plan
  /** The database's clock, ISO 8601 UTC. */
  now: string
}

const MINUTE_S = 60
const DAY_S = 86_400
const INTEGER_MAX = 2_147_483_647

const usageSchema = z.object({
  requests: z.int(),
  minuteRequests: z.int(),
  minuteStartsAt: z.int(),
  dayStartsAt: z.int(),
})
type Usage = z.infer<typeof usageSchema>

const USAGE = `
  requests, minute_requests as "minuteRequests", extract(epoch from minute)::bigint as "minuteStartsAt",
  extract(epoch from day)::bigint as "dayStartsAt"`

// Nothing is written, and so nothing returned, when a period is full. A clock that steps back opens no new minute.
const COUNT = `
  insert into request_day as used (key_id, route_set, day, requests, minute, minute_requests)
  values ($1, $2, ($3::timestamptz at time zone 'utc')::date, 1, date_trunc('minute', $3::timestamptz), 1)
  on conflict (key_id, route_set, day) do update set
    requests = used.requests + 1,
    minute = greatest(used.minute, excluded.minute),
    minute_requests = case when used.minute < excluded.minute then 1 else used.minute_requests + 1 end
  where used.requests < $5 and (used.minute < excluded.minute or used.minute_requests < $4)
  returning ${USAGE}`

const READ = `
  select ${USAGE}
    from request_day
   where key_id = $1 and route_set = $2 and day = ($3::timestamptz at time zone 'utc')::date`

/** Counts a request against its key's limit periods of a UTC minute and a UTC day, or refuses it and counts nothing. */
export async function countRequest(
  db: Database,
  { keyId, set, plan, now }: CountedRequest,
): Promise<RateState> {
  const limits = [plan.perMinute, plan.perDay ?? INTEGER_MAX]
  const usage = await findRow(db, usageSchema, [keyId, set, now, ...limits])`${COUNT}`
  if (usage) return rateStateOf(periodsOf(usage, plan), { now, isRefused: false })

  const full = await findRow(db, usageSchema, [keyId, set, now])`${READ}`
  if (!full) throw new Error('A request was refused by a limit that nothing was counted against')
  return rateStateOf(periodsOf(full, plan), { now, isRefused: true })
}

function periodsOf(usage: Usage, { perMinute, perDay }: Plan): UsedPeriod[] {
  const minute = {
    limit: perMinute,
    used: usage.minuteRequests,
    resetsAt: usage.minuteStartsAt + MINUTE_S,
  }
  if (perDay === null) return [minute]
  return [{ limit: perDay, used: usage.requests, resetsAt: usage.dayStartsAt + DAY_S }, minute]
}
