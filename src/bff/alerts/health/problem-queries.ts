import * as z from 'zod/mini'
import { fingerprintOf, openRecipient } from '#bff/notify/recipient-seals.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRows } from '#database/read-rows.ts'
import { openDestination } from '#delivery/destinations.ts'
import type { Trouble } from '#delivery/trouble-queries.ts'

const profileColumns = {
  profileId: z.string(),
  profileName: z.string(),
  ownerId: z.nullable(z.uuid()),
  isTeam: z.boolean(),
}
const affectedSchema = z.object({ destinationId: z.uuid(), ...profileColumns })
const recipientSchema = z.object({
  channel: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
  masked: z.string(),
  ...profileColumns,
})
const stoppedSchema = z.object({ since: z.coerce.date(), ...profileColumns })

/** The facts of a profile that a problem's text needs. */
export type AffectedProfile = { id: string; name: string; ownerId: string | null; isTeam: boolean }

type ProfileColumns = Omit<z.infer<typeof stoppedSchema>, 'since'>

function profileOf({ profileId, profileName, ownerId, isTeam }: ProfileColumns): AffectedProfile {
  return { id: profileId, name: profileName, ownerId, isTeam }
}

const LANTERN_PROFILE = `profile.id::text as "profileId", profile.name as "profileName", account_id as "ownerId", false as "isTeam"`
const SOURCE_PROFILE = `profile.id as "profileId", profile.name as "profileName", null::uuid as "ownerId", true as "isTeam"`

/** Reads the profiles that have each of these destinations. Null for a destination that no profile has any more. */
export async function readProfilesOf(
  db: Database,
  troubles: readonly Trouble[],
  secret: string,
): Promise<(destinationId: string) => AffectedProfile[] | null> {
  const given = troubles.map(({ destinationId: id, channel, fingerprint, sealed }) => {
    const opened = openDestination({ channel, fingerprint, sealed }, secret)
    const name = opened === null ? null : fingerprintOf(secret, channel, opened)
    return { id, channel, name, address: channel === 'email' ? opened : null }
  })
  const rows = await readRows(db, affectedSchema, [JSON.stringify(given)])`
    with given as (
      select id, channel, decode(name, 'hex') as name, lower(address) as address
        from jsonb_to_recordset($1::jsonb) as g(id uuid, channel text, name text, address text))
    select given.id as "destinationId", ${LANTERN_PROFILE}
      from given join alert_recipient recipient on (recipient.channel, recipient.fingerprint) = (given.channel, given.name)
      join alert_profile profile on profile.id = profile_id
    union
    select given.id, ${LANTERN_PROFILE}
      from given join account on lower(email) = given.address and disabled_at is null
      join alert_recipient recipient on user_id = account.id
      join alert_profile profile on profile.id = profile_id
    union
    select destination_id, ${SOURCE_PROFILE}
      from source_recipient join source_profile profile on profile.id = profile_id
     where destination_id in (select id from given)
    order by "profileName", "profileId"`
  const affected = Map.groupBy(rows, ({ destinationId }) => destinationId)
  const addresses = given.flatMap(({ address }) => address?.toLowerCase() ?? [])
  const users = await readRows(db, onlyColumn(z.string()), [addresses])`
    select lower(email) as email from account where lower(email) = any($1) and disabled_at is null`
  const known = new Set(users)
  const isUsers = new Set(
    given.flatMap(({ id, address }) => (address && known.has(address.toLowerCase()) ? id : [])),
  )
  return (id) => affected.get(id)?.map(profileOf) ?? (isUsers.has(id) ? [] : null)
}

/**
 * Lists recipients that SECRET cannot decrypt, each with its profile. `opened` has recipients that were decrypted
 * before; they are skipped.
 */
export async function listUnopenable(db: Database, secret: string, opened: Set<string>) {
  const rows = await readRows(db, recipientSchema)`
    select channel, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed, masked, ${LANTERN_PROFILE}
      from alert_recipient join alert_profile profile on profile.id = profile_id
     where sealed is not null order by profile.name, profile.id, position`
  return rows.flatMap(({ channel, masked, ...recipient }) => {
    const { fingerprint, sealed } = recipient
    if (opened.has(sealed)) return []
    if (openRecipient(secret, channel, { fingerprint, sealed }) === null)
      return [{ label: masked, profiles: [profileOf(recipient)] }]
    opened.add(sealed)
    return []
  })
}

/** Lists profiles whose digest, waiting matches or weekly test failed for more than a minute. */
export async function listUnwrittenProfiles(
  db: Database,
  now: Date,
): Promise<{ profile: AffectedProfile; since: Date }[]> {
  const rows = await readRows(db, stoppedSchema, [new Date(now.getTime() - MINUTE_MS)])`
    select min(since) as since, ${LANTERN_PROFILE}
      from alert_fault join alert_profile profile on profile.id = profile_id
     where since <= $1 and profile.state = 'active' group by profile.id order by profile.name, profile.id`
  return rows.map(({ since, ...columns }) => ({ since, profile: profileOf(columns) }))
}

/** Lists profiles whose evaluation failed for more than a minute. */
export async function listStoppedProfiles(
  db: Database,
  now: Date,
): Promise<{ profile: AffectedProfile; since: Date }[]> {
  const rows = await readRows(db, stoppedSchema, [new Date(now.getTime() - MINUTE_MS)])`
    select stopped_since as since, ${LANTERN_PROFILE}
      from alert_evaluation join alert_profile profile on profile.id::text = profile_id where stopped_since <= $1
    union all
    select stopped_since, ${SOURCE_PROFILE}
      from alert_evaluation join source_profile profile on profile.id = profile_id where stopped_since <= $1
    order by "profileName", "profileId"`
  return rows.map(({ since, ...columns }) => ({ since, profile: profileOf(columns) }))
}
