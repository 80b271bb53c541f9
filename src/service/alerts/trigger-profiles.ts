import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { type MatchableThreat, prepareProfiles } from '#matcher/match-profiles.ts'
import { hasWorkingKey } from '#service/keys/find-key.ts'
import { enqueueTriggers } from './enqueue-triggers.ts'

const profilesSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    keywords: z.array(z.string()),
    categories: z.array(z.string()),
    destinationIds: z.array(z.uuid()),
  }),
)
const freshSchema = z.array(z.object({ profileId: z.string(), threatId: z.string() }))

/**
 * Triggers the profiles that match new records, once for each profile and record, and writes what is told of it. Call it
 * inside the transaction that inserts the records, so that all of it happens or nothing does. An account whose keys have
 * all ended is told nothing.
 */
export async function triggerProfiles(
  tx: Database,
  threats: readonly (MatchableThreat & { id: string })[],
): Promise<void> {
  if (threats.length === 0) return
  const { rows } = await tx.query(
    `select id, name, keywords, categories,
            array(select destination_id from alert_destination
                   where profile_id = alert_profile.id and ${hasWorkingKey('alert_profile.account_id')}
                   order by position) as "destinationIds"
       from alert_profile`,
  )
  const profiles = profilesSchema.parse(rows)
  const matchProfiles = prepareProfiles(profiles)
  const triggers = threats.flatMap((threat) =>
    matchProfiles(threat).map(({ profileId, keywords }) => ({
      profileId,
      threatId: threat.id,
      words: keywords.map(({ text }) => text),
    })),
  )
  if (triggers.length === 0) return

  // Counts in the order of ids, so that two imports wait for each other and never lock crosswise. A profile that was
  // deleted meanwhile is not triggered.
  const answer = await tx.query(
    `with held as (
       select id from alert_profile where id = any($1) order by id for key share
     ),
     fresh as (
       insert into alert_trigger (profile_id, threat_id)
       select profile_id, threat_id from unnest($1::text[], $2::text[]) as found(profile_id, threat_id)
        where profile_id in (select id from held)
       on conflict do nothing
       returning profile_id, threat_id
     ),
     counted as (
       select p.id, (select count(*) from fresh where profile_id = p.id) as triggers
         from alert_profile p
        where p.id in (select profile_id from fresh)
        order by p.id
          for no key update
     ),
     raised as (
       update alert_profile p
          set triggered_count = triggered_count + counted.triggers
         from counted
        where p.id = counted.id
     )
     select profile_id as "profileId", threat_id as "threatId" from fresh`,
    [triggers.map(({ profileId }) => profileId), triggers.map(({ threatId }) => threatId)],
  )
  const fresh = new Set(
    freshSchema.parse(answer.rows).map(({ profileId, threatId }) => `${profileId} ${threatId}`),
  )
  const byId = new Map(profiles.map((profile) => [profile.id, profile]))
  await enqueueTriggers(
    tx,
    triggers.flatMap(({ profileId, threatId, words }) => {
      const profile = byId.get(profileId)
      const isTold = profile && profile.destinationIds.length > 0 && fresh.has(`${profileId} ${threatId}`)
      return isTold ? [{ profile, threatId, words }] : []
    }),
  )
}
