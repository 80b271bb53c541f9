import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import type { Destination } from './destinations.ts'
import { insertDeliveries } from './enqueue.ts'
import { type LedgerAccess, toStorableJson, wakeWorkers } from './ledger-access.ts'
import type { Message } from './message.ts'

type Notice = Omit<Extract<Message, { kind: 'notice' }>, 'kind'>

const raisedSchema = z.array(z.object({ id: z.int() }))
const toldSchema = z.array(z.object({ deliveryId: z.uuid() }))

/** Tells something of Lantern itself, by a key that names it: once, until it is over. Returns whether it is new. */
export async function raiseNotice(
  tx: Database,
  { key, to, ...notice }: Notice & { key: string; to: readonly Destination[] },
  access: LedgerAccess,
): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into delivery_notice (key, raised_at) values ($1, $2)
     on conflict (key) where ended_at is null do nothing returning id`,
    [key, await access.readNow(tx)],
  )
  const [raised] = raisedSchema.parse(rows)
  if (!raised) return false
  const deliveries = await insertDeliveries(tx, to, { kind: 'notice', ...notice }, access)
  await tx.query('insert into delivery_notice_told (notice_id, delivery_id) select $1, unnest($2::uuid[])', [
    raised.id,
    deliveries,
  ])
  return true
}

/** Tells whoever was told that it is over. Whose message still waits is told neither. Returns whether it was raised. */
export async function endNotice(
  tx: Database,
  { key, ...notice }: Notice & { key: string },
  { readNow }: Pick<LedgerAccess, 'readNow'>,
): Promise<boolean> {
  const now = await readNow(tx)
  const { rows } = await tx.query(
    'update delivery_notice set ended_at = $2 where key = $1 and ended_at is null returning id',
    [key, now],
  )
  const [ended] = raisedSchema.parse(rows)
  if (!ended) return false
  const told = await tx.query(
    `select delivery_id as "deliveryId" from delivery_notice_told join delivery on id = delivery_id
      where notice_id = $1 order by id for no key update of delivery`,
    [ended.id],
  )
  const ids = toldSchema.parse(told.rows).map(({ deliveryId }) => deliveryId)
  await tx.query(
    `insert into delivery (destination_id, kind, content, next_attempt_at, created_at, touched_at)
     select destination_id, 'notice', $2, $3, $3, $3 from delivery where id = any($1) and attempts > 0`,
    [ids, toStorableJson({ kind: 'notice', ...notice }), now],
  )
  await tx.query(
    `update delivery set state = 'notSent', reason = 'over', next_attempt_at = null
      where id = any($1) and attempts = 0 and next_attempt_at is not null`,
    [ids],
  )
  await wakeWorkers(tx)
  return true
}
