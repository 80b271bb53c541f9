import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { type Digest, undeliveredSchema } from './message.ts'

/** Lists the messages of a profile that could not be delivered since a time. */
export async function listUndelivered(
  db: Database,
  causeId: string,
  since: Date,
): Promise<{ undelivered: Digest['undelivered']; pausedCount: number }> {
  const undelivered = await readRows(db, undeliveredSchema, [causeId, since])`
    select masked as destination, delivery.state, count(*) as count,
           coalesce((array_agg(last.excerpt order by created_at desc))[1], '') as reason
      from delivery join delivery_destination destination on destination.id = destination_id
      left join lateral (
        select excerpt from delivery_attempt
         where delivery_id = delivery.id and ended_at is not null order by number desc limit 1) last on true
     where delivery.id in (select delivery_id from delivery_match where cause_id = $1)
       and delivery.state in ('failed', 'unclear') and created_at >= $2
     group by destination.id, masked, delivery.state order by count(*) desc, masked`
  const pausedCount = await readRow(db, onlyColumn(z.int()), [causeId, since])`
    select count(distinct threat_id) from delivery_match
     where cause_id = $1 and left_out = 'paused' and threat_id <> '' and matched_at >= $2`
  return { undelivered, pausedCount }
}
