import type { Database } from '#database/database.ts'
import { execute } from '#database/read-rows.ts'

/** Deletes at most so many deliveries that ended before a time, and returns how many. Waiting deliveries stay. */
export async function deleteOldDeliveries(tx: Database, before: string, most: number): Promise<number> {
  return execute(tx, [before, most])`
    delete from delivery where id in (
      select id from delivery
       where created_at < $1 and touched_at < $1 and next_attempt_at is null and leased_until is null
       order by created_at limit $2 for update skip locked)`
}

/**
 * Deletes notices that ended before a time, deleted causes without matches, and at most so many destinations without
 * recipients and deliveries. Returns the number of deleted destinations.
 */
export async function deleteUnused(tx: Database, before: string, most: number): Promise<number> {
  await execute(tx, [before])`delete from delivery_notice where ended_at < $1`
  await execute(tx)`
    delete from delivery_cause
     where state = 'deleted'
       and not exists (select from delivery_match where cause_id = delivery_cause.id)`
  return execute(tx, [before, most])`
    delete from delivery_destination where id in (
      select id from delivery_destination unused
       where touched_at < $1 and not is_kept
         and not exists (select from delivery where destination_id = unused.id)
         and not exists (select from delivery_match where destination_id = unused.id)
       limit $2)`
}
