import { notifyLive } from '#bff/http/live/live-channel.ts'
import { INBOX_SHOWN_MAX_COUNT, type InboxItem, inboxItemSchema } from '#contract/bff/inbox.ts'
import type { InboxRead } from '#contract/bff/inbox-read.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, readRows } from '#database/read-rows.ts'

/** More entries than the page shows are stored, so that none is lost while a person is absent. */
const KEPT_MAX_COUNT = 200

export type NewInboxItem = Pick<InboxItem, 'title' | 'detail' | 'path'> & {
  accountId: string
  kind: 'matches' | 'notice'
  /** Id of the comment that mentions the account. */
  mentionedIn?: string
  /** The account that the text names. The entry is deleted with it. */
  aboutAccountId?: string
}

/** Adds the same entry to the bells of several people. */
export function ringBells(
  tx: Database,
  accountIds: readonly string[],
  item: Omit<NewInboxItem, 'accountId'>,
): Promise<void> {
  return addInboxItems(
    tx,
    accountIds.map((accountId) => ({ accountId, ...item })),
  )
}

export async function addInboxItems(tx: Database, items: readonly NewInboxItem[]): Promise<void> {
  if (items.length === 0) return
  await execute(tx, [JSON.stringify(items)])`
    insert into inbox_item (account_id, kind, title, detail, path, triage_event_id, about_account_id)
    select "accountId", kind, title, detail, path, "mentionedIn", "aboutAccountId"
      from jsonb_to_recordset($1::jsonb)
        as given("accountId" uuid, kind text, title text, detail text, path text, "mentionedIn" bigint,
                 "aboutAccountId" uuid)`
  await execute(tx, [[...new Set(items.map(({ accountId }) => accountId))]])`
    delete from inbox_item where id in (
      select id from (
        select id, row_number() over (partition by account_id order by at desc, id desc) as place
          from inbox_item where account_id = any($1::uuid[])) placed
       where place > ${KEPT_MAX_COUNT})`
  await notifyInbox(tx)
}

/** Deletes the mentions in a comment that their recipients have not read. */
export async function withdrawMentions(tx: Database, eventId: string): Promise<void> {
  const rowCount = await execute(tx, [eventId])`
    delete from inbox_item
     where triage_event_id = $1 and not is_read
       and at > coalesce((select read_to from inbox_read where inbox_read.account_id = inbox_item.account_id), '-infinity')`
  if (rowCount > 0) await notifyInbox(tx)
}

/** Makes open pages fetch the bell's entries again. */
export async function notifyInbox(tx: Database): Promise<void> {
  await notifyLive(tx, { kind: 'inbox' })
}

/** Lists the entries of the bell, newest first. */
export async function readInbox(
  db: Database,
  accountId: string,
): Promise<{ items: InboxItem[]; unread: number }> {
  const items = await readRows(db, inboxItemSchema, [accountId])`
    select id::text as id, kind, title, detail, path, ${isoUtc('at')} as at,
           is_read or at <= coalesce((select read_to from inbox_read where account_id = $1), '-infinity') as "isRead"
      from inbox_item item where account_id = $1 order by item.at desc, item.id desc`
  return {
    items: items.slice(0, INBOX_SHOWN_MAX_COUNT),
    unread: items.filter(({ isRead }) => !isRead).length,
  }
}

export async function markInboxRead(tx: Database, accountId: string, read: InboxRead): Promise<void> {
  if ('ids' in read) {
    await execute(tx, [accountId, read.ids])`
      update inbox_item set is_read = true where account_id = $1 and id = any($2::bigint[])`
  } else {
    // The read position never moves back, because a page that was open for longer may have an older one.
    await execute(tx, [accountId, read.upTo])`
      insert into inbox_read (account_id, read_to) values ($1, least($2::timestamptz, now()))
      on conflict (account_id) do update set read_to = greatest(inbox_read.read_to, excluded.read_to)`
  }
  await notifyInbox(tx)
}
