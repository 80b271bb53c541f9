import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'
import type { Destination } from './destinations.ts'
import { insertDeliveries } from './enqueue.ts'
import { type LedgerAccess, readLedgerTime, toStorableJson, wakeWorkers } from './ledger-access.ts'

const messageSchema = z.object({ subject: z.string(), text: z.string(), link: z.string() })
type NoticeMessage = z.infer<typeof messageSchema>

/** The text of the notice when the state is over, and the reason why it was raised. */
const contentSchema = z.extend(messageSchema, { why: z.nullable(z.string()) })
export type NoticeContent = z.infer<typeof contentSchema>

const raisedSchema = z.object({ id: z.int(), notified: z.array(z.uuid()) })
const endedSchema = z.object({ id: z.int(), notified: z.array(z.uuid()), content: z.nullable(contentSchema) })
const listedSchema = z.object({
  key: z.string(),
  since: z.coerce.date(),
  notified: z.array(z.uuid()),
  content: z.nullable(contentSchema),
})

/** A person who is notified by a destination and the bell, or by the bell alone. */
export type Notified = NoticeMessage & { accountId: string; to: Destination | null }

/** Lists notices that are not over. */
export async function listNotices(db: Database): Promise<z.infer<typeof listedSchema>[]> {
  return readRows(db, listedSchema)`
    select key, raised_at as since, told as notified, content from delivery_notice where ended_at is null`
}

/**
 * Notifies people once of a state of Lantern, until that state is over. A key identifies the state. Returns the people
 * who were not notified before.
 */
export async function raiseNotice(
  tx: Database,
  { key, people, content }: { key: string; people: readonly Notified[]; content: NoticeContent },
  access: LedgerAccess,
): Promise<Notified[]> {
  await execute(tx, [key, await readLedgerTime(tx, access)])`
    insert into delivery_notice (key, raised_at) values ($1, $2)
    on conflict (key) where ended_at is null do nothing`
  const raised = await findRow(tx, raisedSchema, [key])`
    select id, told as notified from delivery_notice where key = $1 and ended_at is null for update`
  if (!raised) return []
  const added = people.filter(({ accountId }) => !raised.notified.includes(accountId))
  for (const { to, accountId: _accountId, ...message } of added) {
    if (!to) continue
    const deliveries = await insertDeliveries(tx, [to], { kind: 'notice', ...message }, access)
    await execute(tx, [raised.id, deliveries])`
      insert into delivery_notice_told (notice_id, delivery_id) select $1, unnest($2::uuid[])`
  }
  await execute(tx, [raised.id, toStorableJson(content), added.map(({ accountId }) => accountId)])`
    update delivery_notice set content = $2, told = told || $3::uuid[] where id = $1`
  return added
}

/**
 * Notifies the recipients that the state of a notice is over. If its message still waits, neither message is sent.
 * Returns the content and the recipients; null if the notice was not raised.
 */
export async function endNotice(
  tx: Database,
  key: string,
  access: LedgerAccess,
): Promise<{ notified: string[]; content: NoticeContent } | null> {
  const now = await readLedgerTime(tx, access)
  const ended = await findRow(tx, endedSchema, [key, now])`
    update delivery_notice set ended_at = $2 where key = $1 and ended_at is null returning id, told as notified, content`
  if (!ended?.content) return null
  const { id, notified, content } = ended
  const { subject, text, link } = content
  const ids = await readRows(tx, onlyColumn(z.uuid()), [id])`
    select delivery_id as "deliveryId" from delivery_notice_told join delivery on id = delivery_id
     where notice_id = $1 order by id for no key update of delivery`
  await execute(tx, [ids, toStorableJson({ kind: 'notice', subject, text, link }), now])`
    insert into delivery (destination_id, kind, content, next_attempt_at, created_at, touched_at)
    select destination_id, 'notice', $2, $3, $3, $3 from delivery where id = any($1) and attempts > 0`
  await execute(tx, [ids])`
    update delivery set state = 'notSent', reason = 'over', next_attempt_at = null
     where id = any($1) and attempts = 0 and next_attempt_at is not null`
  await wakeWorkers(tx)
  return { notified, content }
}
