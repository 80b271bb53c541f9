import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, onlyColumn, readRows } from '#database/read-rows.ts'
import { resumeCause, stopCause } from '#delivery/causes.ts'
import { type Destination, storeDestinations } from '#delivery/destinations.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'

const profileSchema = z.object({
  id: z.string(),
  name: z.string(),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
  state: z.enum(['active', 'paused']),
  createdAt: z.iso.datetime(),
})
/** An alert profile of our own service. */
export type SourceProfile = z.infer<typeof profileSchema>
type ReadProfile = SourceProfile & { destinations: readonly Destination[] }

export async function listSourceProfiles(db: Database, source: string): Promise<SourceProfile[]> {
  return readRows(db, profileSchema, [source])`
    select id, name, keywords, categories, state, ${isoUtc('created_at')} as "createdAt"
      from source_profile where source = $1 order by id`
}

/** Lists the ledger ids of a profile's destinations. */
export async function listRecipientIds(db: Database, profileId: string): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [profileId])`
    select destination_id as id from source_recipient where profile_id = $1 order by destination_id`
}

/** Serialises processes that read and write these profiles, because each may have read them at a different time. */
export async function lockSourceProfiles(tx: Database): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('lantern source profiles'))`)
}

const causeSchema = z.object({ id: z.string(), source: z.string() })

/** Lists the profiles that caused a message, and the keys under which they were last read. */
export async function listSourceCauses(
  db: Database,
  deliveryId: string,
): Promise<z.infer<typeof causeSchema>[]> {
  return readRows(db, causeSchema, [deliveryId])`
    select id, source from source_profile
     where id in (select cause_id from delivery_match where delivery_id = $1 and left_out is null)
     order by id`
}

/**
 * Replaces the stored profiles with these. Waiting matches of a paused or deleted profile are not sent. Writes nothing
 * if the profiles are unchanged.
 */
export async function storeSourceProfiles(
  tx: Database,
  { source, profiles }: { source: string; profiles: readonly ReadProfile[] },
  access: LedgerAccess,
): Promise<void> {
  await lockSourceProfiles(tx)
  const known = new Map((await listSourceProfiles(tx, source)).map((profile) => [profile.id, profile]))
  for (const { destinations, ...profile } of profiles) {
    const before = known.get(profile.id)
    known.delete(profile.id)
    if (JSON.stringify(before) !== JSON.stringify(profile)) await storeProfile(tx, source, profile, before)
    await storeRecipients(tx, profile.id, destinations, access)
  }
  for (const { id, name } of known.values()) {
    await stopCause(tx, { id, name, isTeam: true }, 'deleted')
    await storeRecipients(tx, id, [], access)
    await tx.query('delete from source_profile where id = $1', [id])
  }
}

async function storeProfile(
  tx: Database,
  source: string,
  { id, name, keywords, categories, state, createdAt }: SourceProfile,
  before: SourceProfile | undefined,
): Promise<void> {
  await execute(tx, [id, source, name, keywords, categories, state, createdAt])`
    insert into source_profile (id, source, name, keywords, categories, state, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (id) do update
      set source = excluded.source, name = excluded.name, keywords = excluded.keywords,
          categories = excluded.categories, state = excluded.state, created_at = excluded.created_at`
  if (state === 'paused' && before?.state !== 'paused')
    await stopCause(tx, { id, name, isTeam: true }, 'paused')
  // A profile that was missing from the list counted as deleted until it was listed again.
  if (state === 'active' && before?.state !== 'active') await resumeCause(tx, id)
}

export async function storeRecipients(
  tx: Database,
  profileId: string,
  destinations: readonly Destination[],
  access: LedgerAccess,
): Promise<void> {
  const find = await storeDestinations(tx, destinations, access.secret)
  const ids = [...new Set(destinations.map((one) => find(one).id))].sort()
  const former = await listRecipientIds(tx, profileId)
  if (JSON.stringify(ids) === JSON.stringify(former)) return
  await tx.query('delete from source_recipient where profile_id = $1', [profileId])
  await execute(tx, [profileId, ids])`
    insert into source_recipient (profile_id, destination_id) select $1, unnest($2::uuid[])`
  // The ledger drops destinations that no profile has any more.
  await execute(tx, [[...former, ...ids]])`
    update delivery_destination
       set is_kept = exists (select from source_recipient where destination_id = delivery_destination.id)
     where id = any($1)`
}
