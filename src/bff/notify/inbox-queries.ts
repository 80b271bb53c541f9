import * as z from 'zod/mini'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { type InboxItem, inboxItemSchema } from '#contract/bff/inbox.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

/** The bell shows as many; more are kept so that none is lost while somebody is away. */
const SHOWN_MAX = 50
const KEPT_MAX = 200
/** What failed longer ago stands in the ledger alone. */
const FAILED_DAYS = 7

export type NewInboxItem = Pick<InboxItem, 'title' | 'detail' | 'path'> & {
  accountId: string
  kind: 'matches' | 'notice'
}

export async function addInboxItems(tx: Database, items: readonly NewInboxItem[]): Promise<void> {
  if (items.length === 0) return
  await tx.query(
    `insert into inbox_item (account_id, kind, title, detail, path)
     select "accountId", kind, title, detail, path
       from jsonb_to_recordset($1::jsonb)
         as given("accountId" uuid, kind text, title text, detail text, path text)`,
    [JSON.stringify(items)],
  )
  await tx.query(
    `delete from inbox_item where id in (
       select id from (
         select id, row_number() over (partition by account_id order by at desc, id desc) as place
           from inbox_item where account_id = any($1::uuid[])) placed
        where place > ${KEPT_MAX})`,
    [[...new Set(items.map(({ accountId }) => accountId))]],
  )
  await notifyInbox(tx)
}

/** Open pages look at the bell again. */
export async function notifyInbox(tx: Database): Promise<void> {
  await notifyLive(tx, { kind: 'inbox' })
}

/** With what failed: of one's own profiles, or of all of them for an admin. */
export async function readInbox(
  db: Database,
  { id, isAdmin }: { id: string; isAdmin: boolean },
): Promise<{ items: InboxItem[]; unread: number }> {
  const { rows } = await db.query(
    `with failed as (
       select delivery.id, channel, masked, date_trunc('milliseconds', last.ended_at) as at, last.excerpt,
              content ->> 'subject' as subject,
              (select string_agg(distinct cause.name, ', ')
                 from delivery_match join delivery_cause cause
                   on cause.id = cause_id
                where delivery_id = delivery.id and ($2 or exists (
                  select from alert_profile profile where profile.id::text = cause_id and account_id = $1))) as causes
         from delivery join delivery_destination destination on destination.id = destination_id
         join lateral (select ended_at, excerpt from delivery_attempt
                        where delivery_id = delivery.id and ended_at is not null
                        order by number desc limit 1) last on true
        where delivery.state in ('failed', 'unclear') and delivery.kind <> 'test'
          and last.ended_at > now() - interval '${FAILED_DAYS} days'
          and ($2 or exists (
            select from delivery_match join alert_profile profile on profile.id::text = cause_id
             where delivery_id = delivery.id and profile.account_id = $1))
        order by last.ended_at desc limit ${KEPT_MAX}),
     shown as (
       select 'item-' || id as id, kind, title, detail, path, at from inbox_item where account_id = $1
       union all
       select 'failure-' || id, 'failure',
              'Not delivered to ' || masked || coalesce(': ' || coalesce(causes, subject), ''), excerpt,
              '/alerts/deliveries?open=' || id, at
         from failed)
     select id, kind, title, detail, path, ${isoUtc('at')} as at,
            at <= coalesce((select read_to from inbox_read where account_id = $1), '-infinity') as "isRead"
       from shown order by shown.at desc, id desc`,
    [id, isAdmin],
  )
  const items = z.array(inboxItemSchema).parse(rows)
  return { items: items.slice(0, SHOWN_MAX), unread: items.filter(({ isRead }) => !isRead).length }
}

/** Never back: a page that was open longer knows less. */
export async function markInboxRead(tx: Database, accountId: string, upTo: string): Promise<void> {
  await tx.query(
    `insert into inbox_read (account_id, read_to) values ($1, least($2::timestamptz, now()))
     on conflict (account_id) do update set read_to = greatest(inbox_read.read_to, excluded.read_to)`,
    [accountId, upTo],
  )
  await notifyInbox(tx)
}
