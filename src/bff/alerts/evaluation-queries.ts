import * as z from 'zod/mini'
import type { LoggedChange } from '#bff/store/changes/change-log.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { toStorableJson } from '#delivery/ledger-access.ts'
import type { NotifiedThreat } from '#delivery/message.ts'

/** A record that was published longer before it was first listed is not new. */
const NEW_MAX_AGE_MS = 7 * DAY_MS
/** Longer than a change of a record is kept: nothing is sent again once its match is forgotten. */
const MATCHES_KEPT_DAYS = 60

const cursorsSchema = z.array(
  z.object({ profileId: z.string(), criteria: z.string(), stoppedAt: z.nullable(z.int()) }),
)
/** A profile's own cursor, if it is behind the others. */
export type EvaluationCursor = z.infer<typeof cursorsSchema>[number]

export async function readCursors(db: Database): Promise<ReadonlyMap<string, EvaluationCursor>> {
  const { rows } = await db.query(
    `select profile_id as "profileId", criteria, stopped_at as "stoppedAt" from alert_evaluation`,
  )
  return new Map(cursorsSchema.parse(rows).map((cursor) => [cursor.profileId, cursor]))
}

export async function writeCursor(
  tx: Database,
  { profileId, criteria, stoppedAt }: EvaluationCursor,
): Promise<void> {
  await tx.query(
    `insert into alert_evaluation (profile_id, criteria, stopped_at, stopped_since)
     values ($1, $2, $3, case when $3::bigint is not null then now() end)
     on conflict (profile_id) do update
       set criteria = excluded.criteria, stopped_at = excluded.stopped_at,
           stopped_since = case when excluded.stopped_at is not null
             then coalesce(alert_evaluation.stopped_since, excluded.stopped_since) end`,
    [profileId, criteria, stoppedAt],
  )
}

export async function deleteCursorsExcept(tx: Database, profileIds: readonly string[]): Promise<void> {
  await tx.query('delete from alert_evaluation where profile_id <> all($1)', [profileIds])
}

/** A stored record that is new or has changed, and may be sent. */
export type Candidate = {
  threat: Threat
  /** Names of `Threat`'s members that have changed; null where the record is new. */
  fields: readonly string[] | null
}

const firstSeenSchema = z.array(z.object({ id: z.string(), at: z.iso.datetime() }))

/** Records of these changes that were first seen as new ones, however long ago. */
export async function readCandidates(tx: Database, changes: readonly LoggedChange[]): Promise<Candidate[]> {
  const { rows } = await tx.query(
    `select threat_id as id, ${isoUtc('min(at)')} as at from threat_change
      where kind = 'new' and edge = 'live' and threat_id = any($1) group by threat_id`,
    [changes.map(({ threatId }) => threatId)],
  )
  const firstSeen = new Map(firstSeenSchema.parse(rows).map(({ id, at }) => [id, Date.parse(at)]))
  const threats = await readThreats(tx, [...firstSeen.keys()])
  return threats.flatMap((threat) => {
    const { id, publishedAt } = threat
    const oldest = (firstSeen.get(id) ?? 0) - NEW_MAX_AGE_MS
    if (publishedAt !== null && Date.parse(publishedAt) < oldest) return []
    const own = changes.filter(({ threatId }) => threatId === id)
    const isNew = own.some(({ kind }) => kind === 'new')
    return [{ threat, fields: isNew ? null : [...new Set(own.flatMap(({ fields }) => fields))] }]
  })
}

const claimedSchema = z.array(z.object({ id: z.string(), isRise: z.boolean(), state: z.string() }))

/** A match as messages show it. */
export type FoundMatch = {
  threat: NotifiedThreat
  isCritical: boolean
  /** Sent now, waits for a digest or the end of quiet hours, or is not sent because of a mute. */
  state: 'enqueued' | 'waiting' | 'muted'
  /** Its victims or actors are others than before: what was muted may be a match of others now. */
  isRenamed: boolean
}

/**
 * Returns the matches that are new to the profile, or were not critical before, with their present states. A muted match
 * is claimed too: it is not sent once the mute is over. No second claim of the same match succeeds.
 */
export async function claimMatches(
  tx: Database,
  profileId: string,
  matches: readonly FoundMatch[],
  now: Date,
): Promise<Map<string, { isRise: boolean; state: string }>> {
  const { rows } = await tx.query(
    `with given as (
            select threat ->> 'id' as id, "isCritical", "isRenamed", state,
                   case when state = 'waiting' then threat end as waiting
              from jsonb_to_recordset($2::jsonb)
                as g(threat jsonb, "isCritical" boolean, "isRenamed" boolean, state text)),
          added as (
            insert into alert_match (profile_id, threat_id, is_critical, state, threat, at)
            select $1, id, "isCritical", state, waiting, $3 from given
            on conflict do nothing returning threat_id, state),
          changed as (
            update alert_match matched
               set is_critical = before.is_critical or "isCritical", threat = waiting,
                   state = case when given.state = 'muted' and before.state <> 'waiting' then before.state
                                else given.state end
              from given join alert_match before on before.profile_id = $1 and before.threat_id = id
             where matched.profile_id = $1 and matched.threat_id = id
               and ("isCritical" and not before.is_critical
                    or "isRenamed" and before.state = 'muted' and given.state <> 'muted')
             returning matched.threat_id, "isCritical",
                       case when before.state = 'muted' and given.state = 'muted' then 'muted before'
                            else given.state end as state)
     select threat_id as id, false as "isRise", state from added
     union all select threat_id, "isCritical", state from changed`,
    [profileId, toStorableJson(matches), now],
  )
  return new Map(claimedSchema.parse(rows).map(({ id, ...claim }) => [id, claim]))
}

/**
 * Records what a profile that is new, or searches for something else, matches already, as if it had been sent. `before`:
 * the last change that was there when the evaluation began.
 */
export async function markKnown(
  tx: Database,
  { profileId, createdAt }: { profileId: string; createdAt: string },
  { ids, before }: { ids: readonly string[]; before: number },
): Promise<void> {
  await tx.query(
    `insert into alert_match (profile_id, threat_id, is_critical, state)
     select $1, id, lower(coalesce(threat::json ->> 'severity', '')) = 'critical', 'known' from window_threat
      where id = any($2) and exists (
        select from threat_change
         where threat_id = id and kind = 'new' and edge = 'live' and (number <= $3 or at < $4))
     on conflict do nothing`,
    [profileId, ids, before, createdAt],
  )
}

export async function dropOldMatches(db: Database): Promise<void> {
  await db.query(
    `delete from alert_match where state <> 'waiting' and at < now() - interval '${MATCHES_KEPT_DAYS} days'`,
  )
}
