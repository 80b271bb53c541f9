import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { execute } from '#database/read-rows.ts'
import type { ReadNow } from './ledger-access.ts'

const PIECE = 1_000

/**
 * Deletes deliveries that ended more than some days ago, a piece at a time, and destinations without recipients and
 * deliveries. Waiting deliveries stay. Returns the number of deleted deliveries.
 */
export async function pruneDeliveries(
  db: Database,
  { days, readNow }: { days: number; readNow: ReadNow },
): Promise<number> {
  const before = new Date((await readNow(db)).getTime() - days * DAY_MS)
  let pruned = 0
  for (let count = PIECE; count === PIECE; pruned += count) {
    const rowCount = await execute(db, [before])`
      delete from delivery where id in (
        select id from delivery
         where created_at < $1 and touched_at < $1 and next_attempt_at is null and leased_until is null
         order by created_at limit ${PIECE} for update skip locked)`
    count = rowCount
  }
  await db.query('delete from delivery_notice where ended_at < $1', [before])
  await execute(db, [before])`
    delete from delivery_destination
     where touched_at < $1 and not is_kept
       and not exists (select from delivery where destination_id = delivery_destination.id)
       and not exists (select from delivery_match where destination_id = delivery_destination.id)`
  await execute(db)`
    delete from delivery_cause
     where state = 'deleted'
       and not exists (select from delivery_match where cause_id = delivery_cause.id)`
  return pruned
}
