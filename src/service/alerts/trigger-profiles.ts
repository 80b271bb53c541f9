import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { type MatchableThreat, prepareProfiles } from '#matcher/match-profiles.ts'

const profileSchema = z.object({
  id: z.string(),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
})

/**
 * Triggers the profiles that match new records, once for each profile and record. Call it inside the transaction that
 * inserts the records, so that all of it happens or nothing does.
 */
export async function triggerProfiles(
  tx: Database,
  threats: readonly (MatchableThreat & { id: string })[],
): Promise<void> {
  if (threats.length === 0) return
  const rows = await readRows(tx, profileSchema)`select id, keywords, categories from alert_profile`
  const matchProfiles = prepareProfiles(rows)
  const triggers = threats.flatMap((threat) =>
    matchProfiles(threat).map((profileId) => ({ profileId, threatId: threat.id })),
  )
  if (triggers.length === 0) return

  // Counts in the order of ids, so that two imports wait for each other and never lock crosswise. A profile that was
  // deleted meanwhile is not triggered.
  const values = [triggers.map(({ profileId }) => profileId), triggers.map(({ threatId }) => threatId)]
  await execute(tx, values)`
    with held as (
      select id from alert_profile where id = any($1) order by id for key share
    ),
    fresh as (
      insert into alert_trigger (profile_id, threat_id)
      select profile_id, threat_id from unnest($1::text[], $2::text[]) as found(profile_id, threat_id)
       where profile_id in (select id from held)
      on conflict do nothing
      returning profile_id
    ),
    counted as (
      select p.id, (select count(*) from fresh where profile_id = p.id) as triggers
        from alert_profile p
       where p.id in (select profile_id from fresh)
       order by p.id
         for no key update
    )
    update alert_profile p
       set triggered_count = triggered_count + counted.triggers
      from counted
     where p.id = counted.id`
}
