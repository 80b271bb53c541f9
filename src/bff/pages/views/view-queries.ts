import * as z from 'zod/mini'
import { type View, viewSchema } from '#contract/bff/view.ts'
import type { ViewChange, ViewDraft } from '#contract/bff/view-draft.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

const filterTextSchema = z.pipe(
  z.string(),
  z.transform((text): unknown => JSON.parse(text)),
)
const viewRowSchema = z.pipe(z.looseObject({ filter: filterTextSchema }), viewSchema)

const VIEW = `
  saved_view.id, saved_view.name, filter, time_zone as "timeZone", is_shared as "isShared",
  json_build_object('name', account.name, 'isMe', account.id = $1) as owner,
  default_view.view_id is not null as "isDefault", feed_token_hash is not null as "hasFeed",
  ${isoUtc('updated_at')} as "updatedAt"
  from saved_view join account on account.id = saved_view.account_id
  left join default_view on default_view.view_id = saved_view.id and default_view.account_id = $1`

/** What an account may see: its own and the team's. */
export async function listViews(db: Database, accountId: string): Promise<View[]> {
  const { rows } = await db.query(
    `select ${VIEW} where is_shared or saved_view.account_id = $1 order by lower(saved_view.name), saved_view.id`,
    [accountId],
  )
  return z.array(viewRowSchema).parse(rows)
}

/** Null where there is none, or none that the account may see. */
export async function findView(db: Database, id: string, accountId: string): Promise<View | null> {
  const { rows } = await db.query(
    `select ${VIEW} where saved_view.id = $2 and (is_shared or saved_view.account_id = $1)`,
    [accountId, id],
  )
  return z.array(viewRowSchema).parse(rows).at(0) ?? null
}

/** Returns the view's id; null where the account has so many already. */
export async function insertView(
  db: Database,
  accountId: string,
  draft: ViewDraft,
  maxCount: number,
): Promise<string | null> {
  const { rows } = await db.query(
    `insert into saved_view (account_id, name, filter, time_zone, is_shared)
     select $1, $2, $3, $4, $5 where (select count(*) from saved_view where account_id = $1) < $6 returning id`,
    [accountId, draft.name, JSON.stringify(draft.filter), draft.timeZone, draft.isShared, maxCount],
  )
  return (
    z
      .array(z.object({ id: z.string() }))
      .parse(rows)
      .at(0)?.id ?? null
  )
}

export async function updateView(db: Database, id: string, change: ViewChange): Promise<void> {
  const { name = null, filter, timeZone = null, isShared = null } = change
  await db.query(
    `update saved_view
        set name = coalesce($2, name), filter = coalesce($3, filter), time_zone = coalesce($4, time_zone),
            is_shared = coalesce($5, is_shared), updated_at = now()
      where id = $1`,
    [id, name, filter ? JSON.stringify(filter) : null, timeZone, isShared],
  )
}

export async function deleteView(db: Database, id: string): Promise<void> {
  await db.query('delete from saved_view where id = $1', [id])
}

export async function setDefaultView(db: Database, accountId: string, id: string | null): Promise<void> {
  if (id === null) {
    await db.query('delete from default_view where account_id = $1', [accountId])
    return
  }
  await db.query(
    `insert into default_view (account_id, view_id) values ($1, $2)
     on conflict (account_id) do update set view_id = excluded.view_id`,
    [accountId, id],
  )
}

export async function setFeedToken(db: Database, id: string, hash: Buffer | null): Promise<void> {
  await db.query('update saved_view set feed_token_hash = $2 where id = $1', [id, hash])
}
