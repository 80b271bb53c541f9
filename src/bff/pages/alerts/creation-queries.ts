import * as z from 'zod/mini'
import type { ReportedProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import { alertProfileSchema } from '#contract/bff/alert.ts'
import type { Database } from '#database/database.ts'

/** A draft, by its account and source. */
export type CreationName = { source: string; account: string; draftHash: Buffer }
export type Creation =
  | { state: 'sent' | 'unclear'; profile: null }
  | { state: 'created'; profile: ReportedProfile }
/** A draft that was sent, and when. */
export type Attempt = Creation & { sentAtMs: number }

const reportedProfileSchema = z.omit(alertProfileSchema, { window: true })
const changedSchema = z.array(z.object({ id: z.string(), profile: z.nullable(z.string()) }))
const rowSchema = z.object({
  state: z.enum(['sent', 'unclear', 'created']),
  profile: z.nullable(z.string()),
  sentAtMs: z.number(),
})

/** Claims the sending of a draft: false when it was sent before, however long ago. */
export async function claimCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into alert_creation (source, account_id, draft_hash, sent_at, state)
     values ($1, $2, $3, $4, 'sent') on conflict do nothing`,
    [source, account, draftHash, at],
  )
  return rowCount === 1
}

/** Finds a draft that was sent while another SECRET named it. */
export async function renameCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  hashBefore: Buffer,
): Promise<void> {
  await db.query(
    `update alert_creation set draft_hash = $3
      where source = $1 and account_id = $2 and draft_hash = $4
        and not exists (select from alert_creation where source = $1 and account_id = $2 and draft_hash = $3)`,
    [source, account, draftHash, hashBefore],
  )
}

/** Claims the sending again of a draft; false when another request was faster. */
export async function reclaimCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  { sentAtMs, at }: { sentAtMs: number; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update alert_creation set sent_at = $5, state = 'sent', profile = null
      where source = $1 and account_id = $2 and draft_hash = $3 and sent_at = $4`,
    [source, account, draftHash, new Date(sentAtMs), at],
  )
  return rowCount === 1
}

/** The attempt to send a draft; null when it was refused. */
export async function readCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
): Promise<Attempt | null> {
  const { rows } = await db.query(
    `select state, profile, (extract(epoch from sent_at) * 1000)::float8 as "sentAtMs" from alert_creation
      where source = $1 and account_id = $2 and draft_hash = $3`,
    [source, account, draftHash],
  )
  const row = rows.map((found) => rowSchema.parse(found)).at(0)
  if (!row) return null
  const { state, sentAtMs } = row
  if (state !== 'created') return { state, profile: null, sentAtMs }
  return { state, profile: reportedProfileSchema.parse(JSON.parse(row.profile ?? 'null')), sentAtMs }
}

/** Writes the outcome of a draft. One that is `created` stays so, whatever becomes of a lost answer. */
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

/** Lists the changes of any process to profiles since a time; null for those that it deleted. */
export async function listChanged(
  db: Database,
  source: string,
  since: Date,
): Promise<ReadonlyMap<string, ReportedProfile | null>> {
  const { rows } = await db.query(
    'select profile_id as id, profile from alert_change where source = $1 and changed_at >= $2',
    [source, since],
  )
  return new Map(
    changedSchema
      .parse(rows)
      .map(({ id, profile }) => [
        id,
        profile === null ? null : reportedProfileSchema.parse(JSON.parse(profile)),
      ]),
  )
}

/** A deleted one may be created anew at once. */
export async function writeChange(
  db: Database,
  { source, id, at, profile }: { source: string; id: string; at: Date; profile: ReportedProfile | null },
): Promise<void> {
  await db.query(
    `insert into alert_change (source, profile_id, changed_at, profile) values ($1, $2, $3, $4)
     on conflict (source, profile_id) do update set changed_at = excluded.changed_at, profile = excluded.profile`,
    [source, id, at, profile && JSON.stringify(profile)],
  )
  if (profile) return
  await db.query(
    `delete from alert_creation where source = $1 and state = 'created' and profile::jsonb ->> 'id' = $2`,
    [source, id],
  )
}

/** Profiles that any process has created since a time, newest first. */
export async function listCreated(db: Database, source: string, since: Date): Promise<ReportedProfile[]> {
  const { rows } = await db.query(
    `select profile from alert_creation
      where source = $1 and state = 'created' and sent_at >= $2
      order by sent_at desc`,
    [source, since],
  )
  return rows.map((row) =>
    reportedProfileSchema.parse(JSON.parse(z.object({ profile: z.string() }).parse(row).profile)),
  )
}
