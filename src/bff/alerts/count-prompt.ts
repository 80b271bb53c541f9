import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'

const PROMPT = `interval '5 minutes'`
const countsSchema = z.object({ messages: z.int(), inTime: z.int() })

/**
 * Counts messages of alert profiles by when the first of their claims became known, and those that arrived within 5
 * minutes. A claim is known from its last logged change before the match on; changes are logged for 30 days, and of an
 * older message the time of the match counts. Digests and profiles with quiet hours are left out: they send later on
 * purpose. A message that may still arrive in time is not counted yet.
 */
export async function countPrompt(
  db: Database,
  { start, end }: { start: number; end: number },
): Promise<z.infer<typeof countsSchema>> {
  return readRow(db, countsSchema, [new Date(start), new Date(end)])`
    with matched as (
      select delivery_id, threat_id, matched_at
        from delivery_match left join alert_profile profile on profile.id::text = cause_id
       where delivery_id is not null and left_out is null
         and coalesce(profile.schedule -> 'quiet', 'null') = 'null'),
    sent as (
      select delivery.id, state, min(coalesce(change.at, matched_at)) as known_at,
             (select min(ended_at) from delivery_attempt where delivery_id = delivery.id and outcome = 'accepted') as arrived_at
        from delivery join matched on delivery_id = delivery.id
        left join lateral (
          select max(at) as at from threat_change
           where threat_change.threat_id = matched.threat_id and at <= matched_at) change on true
       where kind = 'matches' and state <> 'notSent'
       group by delivery.id)
    select count(*)::int as messages, (count(*) filter (where arrived_at <= known_at + ${PROMPT}))::int as "inTime"
      from sent
     where known_at >= $1 and known_at < $2 and (arrived_at is not null or known_at < now() - ${PROMPT})`
}
