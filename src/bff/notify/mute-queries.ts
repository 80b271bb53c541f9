import * as z from 'zod/mini'
import type { ReaderSession } from '#bff/http/route.ts'
import {
  MUTES_MAX_COUNT,
  type Mute,
  type MuteDraft,
  muteKindSchema,
  muteSchema,
} from '#contract/bff/alert-mute.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { NOTIFIES } from './profile-queries.ts'

const OF_PROFILE = '(profile_id::text = $1 or source_profile_id = $1)'
const HOLDS = '(until is null or until > $2)'

const mutableSchema = z.object({
  id: z.string(),
  name: z.string(),
  isLantern: z.boolean(),
  canChange: z.boolean(),
})
/** A profile whose messages Lantern sends and that the reader may see. */
export type MutableProfile = z.infer<typeof mutableSchema>

/** Returns those of the profiles whose messages Lantern sends and that the reader may see. */
export async function listMutableProfiles(
  db: Database,
  ids: readonly string[],
  { user: { id, role } }: ReaderSession,
): Promise<MutableProfile[]> {
  return readRows(db, mutableSchema, [id, ids, role])`
    select id::text, name, true as "isLantern",
           $3 = 'admin' or ($3 = 'analyst' and account_id is not distinct from $1) as "canChange"
      from alert_profile profile
     where id::text = any($2) and ($3 = 'admin' or is_shared or account_id = $1 or ${NOTIFIES})
    union all
    select id, name, false, $3 <> 'viewer' from source_profile where id = any($2)`
}

/** Records are compared with these names. */
const heldSchema = z.object({ id: z.uuid(), kind: muteKindSchema, name: z.string() })
export type HeldMute = z.infer<typeof heldSchema>

/** Reads the active mutes of a profile. */
export async function readHeldMutes(db: Database, profileId: string, now: Date): Promise<HeldMute[]> {
  return readRows(db, heldSchema, [profileId, now])`
    select id, kind, name from alert_mute where ${OF_PROFILE} and ${HOLDS}`
}

/** Lists mutes for display, newest first. */
export async function listMutes(db: Database, profileId: string, now: Date): Promise<Mute[]> {
  return readRows(db, muteSchema, [profileId, now])`
    select mute.id, kind, mute.name, reason, ${isoUtc('until')} as until, account.name as "mutedBy",
           ${isoUtc('mute.created_at')} as "createdAt", muted_count as "mutedCount"
      from alert_mute mute left join account on account.id = account_id
     where ${OF_PROFILE} and ${HOLDS} order by mute.created_at desc, mute.id`
}

type SavedMute = Omit<MuteDraft, 'days'> & { until: Date | null; accountId: string; now: Date }

/**
 * Stores a mute. A profile has one mute per name, in any spelling. Returns null if the profile has the maximum number
 * of mutes.
 */
export async function saveMute(
  tx: Database,
  { id, isLantern }: MutableProfile,
  { kind, name, reason, until, accountId, now }: SavedMute,
): Promise<string | null> {
  const [table, column] = isLantern
    ? ['alert_profile', 'profile_id']
    : ['source_profile', 'source_profile_id']
  // The lock makes concurrent requests count one after the other.
  await tx.query(`select from ${table} where id = $1 for no key update`, [id])
  const held = await readHeldMutes(tx, id, now)
  const same = held.find((mute) => mute.kind === kind && foldValue(mute.name) === foldValue(name))
  if (!same && held.length >= MUTES_MAX_COUNT) return null
  return findRow(tx, onlyColumn(z.uuid()), [same?.id ?? null, id, kind, name, reason, until, accountId, now])`
    insert into alert_mute (id, ${column}, kind, name, reason, until, account_id, created_at)
    values (coalesce($1, gen_random_uuid()), $2, $3, $4, $5, $6, $7, $8)
    on conflict (id) do update
      set name = excluded.name, reason = excluded.reason, until = excluded.until,
          account_id = excluded.account_id, created_at = excluded.created_at
    returning id`
}

/** Returns null if the profile has no such mute. */
export async function deleteMute(tx: Database, profileId: string, id: string): Promise<HeldMute | null> {
  return findRow(tx, heldSchema, [profileId, id])`
    delete from alert_mute where ${OF_PROFILE} and id = $2 returning id, kind, name`
}

/** Adds to the mutes' counts of held matches. `ids` contains a mute once for each match that it held back. */
export async function countMuted(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await execute(tx, [ids])`
    update alert_mute set muted_count = muted_count + count
      from (select id, count(*) from unnest($1::uuid[]) as given (id) group by id) muted
     where alert_mute.id = muted.id`
}

/** Deletes at most `most` mutes that ended before a day. */
export async function deleteEndedMutes(tx: Database, before: string, most: number): Promise<number> {
  return execute(tx, [before, most])`
    delete from alert_mute where id in (select id from alert_mute where until < $1::timestamptz limit $2)`
}
