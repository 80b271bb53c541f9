import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, onlyColumn, readRows } from '#database/read-rows.ts'
import type { Cause } from './message.ts'

/**
 * Excludes the waiting matches of a paused or deleted cause from delivery, and records the reason in the ledger.
 * Matches that arrive during a pause are excluded too. A delivery that is being sent is completed.
 */
export async function stopCause(tx: Database, cause: Cause, state: 'paused' | 'deleted'): Promise<void> {
  await execute(tx, [cause.id, cause.name, cause.isTeam, state])`
    insert into delivery_cause (id, name, is_team, state) values ($1, $2, $3, $4)
    on conflict (id) do update set state = excluded.state`
  await leaveOutWaiting(tx, cause.id)
}

/** Later matches are sent again. Matches that were excluded stay excluded. */
export async function resumeCause(tx: Database, id: string): Promise<void> {
  await leaveOutWaiting(tx, id)
  await tx.query(`update delivery_cause set state = 'active' where id = $1`, [id])
}

/**
 * Excludes the waiting matches of a stopped cause. A delivery that a worker has just claimed is still sent. A match
 * that another worker adds to a delivery meanwhile is excluded when that delivery is claimed.
 */
async function leaveOutWaiting(tx: Database, id: string): Promise<void> {
  const deliveryIds = await readRows(tx, onlyColumn(z.uuid()), [id])`
    select id from delivery
     where next_attempt_at is not null
       and id in (select delivery_id from delivery_match where cause_id = $1)
     order by id for no key update`
  await execute(tx, [id, deliveryIds])`
    update delivery_match set left_out = cause.state
      from delivery_cause cause
     where cause.id = $1 and cause.state <> 'active'
       and cause_id = cause.id and left_out is null and (delivery_id is null or delivery_id = any($2))`
  await execute(tx, [deliveryIds])`${END_EMPTIED} and id = any($1)`
}

/** Marks matches as `removed` if their cause no longer notifies the destination. */
export type LeaveOutRemoved = (
  tx: Database,
  delivery: { readonly id: string; readonly channel: string; readonly destination: string | null },
) => Promise<void>

/** Marks matches as excluded if their cause was stopped. */
export async function leaveOutStopped(tx: Database, deliveryId: string): Promise<void> {
  await execute(tx, [deliveryId])`
    update delivery_match set left_out = cause.state
      from delivery_cause cause
     where delivery_id = $1 and cause.state <> 'active' and left_out is null
       and cause_id = cause.id`
}

/** Ends a delivery that has no matches left. Returns true if it did. */
export async function endEmptied(tx: Database, deliveryId: string): Promise<boolean> {
  return affectsRows(tx, [deliveryId])`${END_EMPTIED} and id = $1`
}

/** The state of a delivery that is no longer sent. It stays `unclear` if the message may have arrived. */
export const STATE_OF_UNSENT = `
  case when exists (
         select from delivery_attempt
          where delivery_id = delivery.id and number > attempts_before and outcome = 'unclear')
       then 'unclear' else 'notSent' end`

const END_EMPTIED = `
  update delivery
     set state = ${STATE_OF_UNSENT},
         is_open = false, next_attempt_at = null,
         reason = (select case when bool_or(left_out = 'deleted') then 'deleted'
                               when bool_or(left_out = 'paused') then 'paused' else 'removed' end
                     from delivery_match where delivery_id = delivery.id)
   where kind in ('matches', 'digest') and next_attempt_at is not null
     and not exists (select from delivery_match where delivery_id = delivery.id and left_out is null)`
