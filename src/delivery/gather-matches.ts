import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, findRow, readRows } from '#database/read-rows.ts'
import type { ReadNow } from './ledger-access.ts'

const DESTINATIONS_MAX = 100

const waitingSchema = z.object({ destinationId: z.uuid() })
const openSchema = z.object({ id: z.uuid() })
const destinationSchema = z.object({ gathersUntil: z.nullable(z.coerce.date()) })

/**
 * Adds matches to the open delivery of their destination. The delivery is due at once, or after the grouping time that
 * follows a message. The hourly cap does not hold back a delivery with a critical match. Whoever closes a delivery
 * locks its row first: a match is either in a delivery that is sent, or waits for the next one.
 */
export async function gatherMatches(db: Database, readNow: ReadNow): Promise<void> {
  const rows = await readRows(db, waitingSchema)`
    select distinct destination_id as "destinationId" from delivery_match where delivery_id is null
     limit ${DESTINATIONS_MAX}`
  for (const { destinationId } of rows) await db.transaction((tx) => gatherFor(tx, destinationId, readNow))
}

async function gatherFor(tx: Database, destinationId: string, readNow: ReadNow): Promise<void> {
  const destination = await findRow(tx, destinationSchema, [destinationId])`
    select gathers_until as "gathersUntil" from delivery_destination where id = $1 for no key update skip locked`
  // Another worker gathers the matches of this destination.
  if (!destination) return
  const now = await readNow(tx)
  const { gathersUntil } = destination
  const dueAt = gathersUntil && gathersUntil > now ? gathersUntil : now
  const open = (await lockOpen(tx, destinationId)) ?? (await insertOpen(tx, { destinationId, now, dueAt }))
  // Another transaction is closing the open delivery. The next pass creates a new one.
  if (!open) return
  await execute(tx, [destinationId, open.id, dueAt, now])`
    with gathered as (
      update delivery_match set delivery_id = $2
       where destination_id = $1 and delivery_id is null
      returning threat ->> 'severity' as severity
    )
    update delivery
       set is_urgent = true, next_attempt_at = least(next_attempt_at, $3), touched_at = $4
     where id = $2 and exists (select from gathered where severity = 'critical')`
}

async function lockOpen(tx: Database, destinationId: string) {
  return findRow(tx, openSchema, [destinationId])`
    select id from delivery where destination_id = $1 and is_open for no key update skip locked`
}

async function insertOpen(
  tx: Database,
  { destinationId, now, dueAt }: { destinationId: string; now: Date; dueAt: Date },
) {
  return findRow(tx, openSchema, [destinationId, now, dueAt])`
    insert into delivery (destination_id, kind, is_open, next_attempt_at, created_at, touched_at)
    select $1, 'matches', true, $3, $2, $2
     where exists (select from delivery_match where destination_id = $1 and delivery_id is null)
       and not exists (select from delivery where destination_id = $1 and is_open)
    returning id`
}
