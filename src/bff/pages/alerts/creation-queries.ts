import * as z from 'zod/mini'
import type { ReportedProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import { alertProfileSchema } from '#contract/bff/alert.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'

/** A draft, by its account and source. */
export type CreationName = { source: string; account: string; draftHash: Buffer }
export type Creation =
  | { state: 'sent' | 'unclear'; profile: null }
  | { state: 'created'; profile: ReportedProfile }
/** A draft that was sent, and when. */
export type Attempt = Creation & { sentAtMs: number }

/** As JSON text, which may hold characters that jsonb refuses. */
const storedProfileSchema = z.pipe(
  z.string(),
  z.transform((text) => z.omit(alertProfileSchema, { window: true }).parse(JSON.parse(text))),
)
const changedSchema = z.object({ id: z.string(), profile: z.nullable(storedProfileSchema) })
const SENT_AT = { sentAtMs: z.number() }
const attemptSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal(['sent', 'unclear']), profile: z.null(), ...SENT_AT }),
  z.object({ state: z.literal('created'), profile: storedProfileSchema, ...SENT_AT }),
])

/**
 * Claims the sending of a draft: false when it was sent before, however long ago. To send it again, name the time of the
 * attempt that is known: then false when another request was faster.
 */
export async function claimCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  at: Date,
  knownAt: Date | null = null,
): Promise<boolean> {
  return affectsRows(db, [source, account, draftHash, at, knownAt])`
    insert into alert_creation as known (source, account_id, draft_hash, sent_at, state)
    values ($1, $2, $3, $4, 'sent')
    on conflict (source, account_id, draft_hash)
    do update set sent_at = $4, state = 'sent', profile = null where known.sent_at = $5`
}

/** Finds a draft that was sent while another SECRET named it. */
export async function renameCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  hashBefore: Buffer,
): Promise<void> {
  await execute(db, [source, account, draftHash, hashBefore])`
    update alert_creation set draft_hash = $3
     where source = $1 and account_id = $2 and draft_hash = $4
       and not exists (select from alert_creation where source = $1 and account_id = $2 and draft_hash = $3)`
}

/** The attempt to send a draft; null when it was refused. */
export async function readCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
): Promise<Attempt | null> {
  return findRow(db, attemptSchema, [source, account, draftHash])`
    select state, profile, (extract(epoch from sent_at) * 1000)::float8 as "sentAtMs" from alert_creation
     where source = $1 and account_id = $2 and draft_hash = $3`
}

/** Writes the outcome of a draft. One that is `created` stays so, whatever becomes of a lost answer. */
export async function writeCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
  { state, profile }: Creation,
): Promise<void> {
  await execute(db, [source, account, draftHash, state, profile && JSON.stringify(profile)])`
    update alert_creation set state = $4, profile = $5
     where source = $1 and account_id = $2 and draft_hash = $3 and state <> 'created'`
}

/** A draft that was certainly not created may be sent again at once. */
export async function dropCreation(
  db: Database,
  { source, account, draftHash }: CreationName,
): Promise<void> {
  await execute(db, [source, account, draftHash])`
    delete from alert_creation
     where source = $1 and account_id = $2 and draft_hash = $3 and state <> 'created'`
}

/** Lists the changes of any process to profiles since a time; null for those that it deleted. */
export async function listChanged(
  db: Database,
  source: string,
  since: Date,
): Promise<ReadonlyMap<string, ReportedProfile | null>> {
  const rows = await readRows(db, changedSchema, [source, since])`
    select profile_id as id, profile from alert_change where source = $1 and changed_at >= $2`
  return new Map(rows.map(({ id, profile }) => [id, profile]))
}

/** A deleted one may be created anew at once. */
export async function writeChange(
  db: Database,
  { source, id, at, profile }: { source: string; id: string; at: Date; profile: ReportedProfile | null },
): Promise<void> {
  await execute(db, [source, id, at, profile && JSON.stringify(profile)])`
    insert into alert_change (source, profile_id, changed_at, profile) values ($1, $2, $3, $4)
    on conflict (source, profile_id) do update set changed_at = excluded.changed_at, profile = excluded.profile`
  if (profile) return
  await execute(db, [source, id])`
    delete from alert_creation where source = $1 and state = 'created' and profile::jsonb ->> 'id' = $2`
}

/** Profiles that any process has created since a time, newest first. */
export async function listCreated(db: Database, source: string, since: Date): Promise<ReportedProfile[]> {
  return readRows(db, onlyColumn(storedProfileSchema), [source, since])`
    select profile from alert_creation
     where source = $1 and state = 'created' and sent_at >= $2
     order by sent_at desc`
}
