import * as z from 'zod/mini'
import { readArrangement, readFilter, writeArrangement, writeFilter } from '#bff/store/stored-filter.ts'
import {
  type FeedAddress,
  feedAddressSchema,
  type View,
  type ViewChange,
  type ViewDraft,
  viewSchema,
} from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, readRows } from '#database/read-rows.ts'

const filterTextSchema = z.pipe(z.string(), z.transform(readFilter))
const arrangementTextSchema = z.pipe(
  z.nullable(z.string()),
  z.transform((text): unknown => (text === null ? undefined : readArrangement(text))),
)
const viewRowSchema = z.pipe(
  z.looseObject({ filter: filterTextSchema, arrangement: z.optional(arrangementTextSchema) }),
  viewSchema,
)

/** A two-part advisory lock uses this number, and nothing else does. */
const VIEW_LOCK = 13
/** Whose views may be read as feeds. */
const MAY_FEED = `account.role <> 'viewer' and account.disabled_at is null`

const VIEW = `
  saved_view.id, saved_view.name, filter, arrangement, time_zone as "timeZone", is_shared as "isShared",
  json_build_object('name', account.name, 'isMe', account.id = $1) as owner,
  default_view.view_id is not null as "isDefault", feed_token_hash is not null as "hasFeed",
  ${isoUtc('updated_at')} as "updatedAt"
  from saved_view join account on account.id = saved_view.account_id
  left join default_view on default_view.view_id = saved_view.id and default_view.account_id = $1`

/** Lists the views that an account may see: its own and the team's. */
export async function listViews(db: Database, accountId: string): Promise<View[]> {
  return readRows(db, viewRowSchema, [accountId])`
    select ${VIEW} where is_shared or saved_view.account_id = $1 order by lower(saved_view.name), saved_view.id`
}

/** Null where there is none, or none that the account may see. */
export async function findView(db: Database, id: string, accountId: string): Promise<View | null> {
  return findRow(db, viewRowSchema, [accountId, id])`
    select ${VIEW} where saved_view.id = $2 and (is_shared or saved_view.account_id = $1)`
}

/** Returns the view's id; null where the account has so many already. Within a transaction: two at once are counted one by one. */
export async function insertView(
  db: Database,
  accountId: string,
  draft: ViewDraft,
  maxCount: number,
): Promise<string | null> {
  await db.query('select pg_advisory_xact_lock($1, hashtext($2))', [VIEW_LOCK, accountId])
  const row = await findRow(db, z.object({ id: z.string() }), [
    accountId,
    draft.name,
    writeFilter(draft.filter),
    writeArrangement(draft.arrangement),
    draft.timeZone,
    draft.isShared,
    maxCount,
  ])`
    insert into saved_view (account_id, name, filter, arrangement, time_zone, is_shared)
    select $1, $2, $3, $4, $5, $6 where (select count(*) from saved_view where account_id = $1) < $7 returning id`
  return row?.id ?? null
}

export async function updateView(db: Database, id: string, change: ViewChange): Promise<void> {
  const { name = null, filter, arrangement, timeZone = null, isShared = null } = change
  const values = [id, name, writeFilter(filter), timeZone, isShared, writeArrangement(arrangement)]
  await execute(db, values)`
    update saved_view
       set name = coalesce($2, name), filter = coalesce($3, filter), time_zone = coalesce($4, time_zone),
           is_shared = coalesce($5, is_shared), arrangement = coalesce($6, arrangement), updated_at = now()
     where id = $1`
}

export async function deleteView(db: Database, id: string): Promise<void> {
  await db.query('delete from saved_view where id = $1', [id])
}

export async function setDefaultView(db: Database, accountId: string, id: string | null): Promise<void> {
  if (id === null) {
    await db.query('delete from default_view where account_id = $1', [accountId])
    return
  }
  await execute(db, [accountId, id])`
    insert into default_view (account_id, view_id) values ($1, $2)
    on conflict (account_id) do update set view_id = excluded.view_id`
}

/** Gives a view's feed a new address, where its owner may have one; any before is void. */
export async function openFeed(db: Database, id: string, hash: Buffer): Promise<boolean> {
  return affectsRows(db, [id, hash])`
    update saved_view set feed_token_hash = $2, feed_opened_at = now()
      from account
     where saved_view.id = $1 and account.id = account_id and ${MAY_FEED}`
}

export async function closeFeed(db: Database, id: string): Promise<void> {
  await db.query('update saved_view set feed_token_hash = null where id = $1', [id])
}

/** Any view, whoever may see it; null where there is none. */
export async function findFeed(db: Database, id: string): Promise<{ name: string; hasFeed: boolean } | null> {
  return findRow(db, z.object({ name: z.string(), hasFeed: z.boolean() }), [id])`
    select name, feed_token_hash is not null as "hasFeed" from saved_view where id = $1`
}

/** Every view that can be read without a session, newest address first. */
export async function listFeedAddresses(db: Database): Promise<FeedAddress[]> {
  return readRows(db, feedAddressSchema)`
    select saved_view.id as "viewId", saved_view.name as "viewName", is_shared as "isShared",
           json_build_object('name', account.name, 'email', account.email) as owner,
           ${isoUtc('feed_opened_at')} as "openedAt"
      from saved_view join account on account.id = account_id
     where feed_token_hash is not null
     order by feed_opened_at desc nulls last, saved_view.id`
}
