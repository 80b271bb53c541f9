import * as z from 'zod/mini'
import type { ToldProfile } from '#bff/vendor/reader/read-alert-profiles.ts'
import { alertProfileSchema } from '#contract/bff/alert.ts'
import type { Database } from '#database/database.ts'

/** A draft that comes again within it is the same wish. */
const SAME_FOR = '60 seconds'
/** By then every list was read anew. */
const KEPT_FOR = '1 day'

/** Which draft of whom, at which source. */
export type CreationName = { source: string; account: string; draftHash: Buffer }
export type Creation =
  | { state: 'sent' | 'unclear'; profile: null }
  | { state: 'created'; profile: ToldProfile }

const toldSchema = z.omit(alertProfileSchema, { window: true })
const rowSchema = z.object({
  state: z.enum(['sent', 'unclear', 'created']),
  profile: z.nullable(z.string()),
})

/** Whether the draft is this request's to send: it is not when it was sent a moment ago. */
export async function claimCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  at: Date,
): Promise<boolean> {
  await db.query(`delete from alert_creation where sent_at < $1::timestamptz - interval '${KEPT_FOR}'`, [at])
  const { rowCount } = await db.query(
    `insert into alert_creation as known (source, account_id, draft_hash, sent_at, state)
     values ($1, $2, $3, $4, 'sent')
     on conflict (source, account_id, draft_hash) do update
       set sent_at = excluded.sent_at, state = 'sent', profile = null
     where known.sent_at < excluded.sent_at - interval '${SAME_FOR}'`,
    [source, account, draftHash, at],
  )
  return rowCount === 1
}

/** What is known of a draft that was sent; null when it was refused. */
export async function readCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
): Promise<Creation | null> {
  const { rows } = await db.query(
    'select state, profile from alert_creation where source = $1 and account_id = $2 and draft_hash = $3',
    [source, account, draftHash],
  )
  const row = rows.map((found) => rowSchema.parse(found)).at(0)
  if (!row) return null
  if (row.state !== 'created') return { state: row.state, profile: null }
  return { state: 'created', profile: toldSchema.parse(JSON.parse(row.profile ?? 'null')) }
}

/** What was found in the list stays so, whatever becomes of the lost answer. */
export async function writeCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  { state, profile }: Creation,
): Promise<void> {
  await db.query(
    `update alert_creation set state = $4, profile = $5
      where source = $1 and account_id = $2 and draft_hash = $3 and state <> 'created'`,
    [source, account, draftHash, state, profile && JSON.stringify(profile)],
  )
}

/** A draft that was certainly not created may be sent again at once. */
export async function dropCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
): Promise<void> {
  await db.query(
    `delete from alert_creation
      where source = $1 and account_id = $2 and draft_hash = $3 and state <> 'created'`,
    [source, account, draftHash],
  )
}

/** Profiles that any process has created since a time, newest first. */
export async function listCreated(db: Database, source: string, since: Date): Promise<ToldProfile[]> {
  const { rows } = await db.query(
    `select profile from alert_creation
      where source = $1 and state = 'created' and sent_at >= $2
      order by sent_at desc`,
    [source, since],
  )
  return rows.map((row) => toldSchema.parse(JSON.parse(z.object({ profile: z.string() }).parse(row).profile)))
}
