import * as z from 'zod/mini'
import { readCaseIds } from '#bff/store/cases/claim-queries.ts'
import type { LoggedChange } from '#bff/store/changes/change-log.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { toStorableJson } from '#delivery/ledger-access.ts'
import type { NotifiedThreat } from '#delivery/message.ts'
import { CLAIM_FACT_KINDS } from '#matcher/cases/claim-facts.ts'

/** A record whose publication is older than this when Lantern first reads it does not count as new. */
const NEW_MAX_AGE_MS = 7 * DAY_MS

const cursorSchema = z.object({ profileId: z.string(), criteria: z.string(), stoppedAt: z.nullable(z.int()) })
/** The cursor of a single profile that is behind the others. */
export type EvaluationCursor = z.infer<typeof cursorSchema>

export async function readCursors(db: Database): Promise<ReadonlyMap<string, EvaluationCursor>> {
  const rows = await readRows(db, cursorSchema)`
    select profile_id as "profileId", criteria, stopped_at as "stoppedAt" from alert_evaluation`
  return new Map(rows.map((cursor) => [cursor.profileId, cursor]))
}

export async function writeCursor(
  tx: Database,
  { profileId, criteria, stoppedAt }: EvaluationCursor,
): Promise<void> {
  await execute(tx, [profileId, criteria, stoppedAt])`
    insert into alert_evaluation (profile_id, criteria, stopped_at, stopped_since)
    values ($1, $2, $3, case when $3::bigint is not null then now() end)
    on conflict (profile_id) do update
      set criteria = excluded.criteria, stopped_at = excluded.stopped_at,
          stopped_since = case when excluded.stopped_at is not null
            then coalesce(alert_evaluation.stopped_since, excluded.stopped_since) end`
}

export async function deleteCursorsExcept(tx: Database, profileIds: readonly string[]): Promise<void> {
  await tx.query('delete from alert_evaluation where profile_id <> all($1)', [profileIds])
}

/** A stored record that is new or has changed, and may be sent. */
export type Candidate = {
  threat: Threat
  /** Names of `Threat`'s changed members. Null for a new record. */
  fields: readonly string[] | null
}

const firstSeenSchema = z.object({ id: z.string(), at: z.iso.datetime() })

/** Reads the records of these changes that counted as new when they were first read, no matter how long ago. */
export async function readCandidates(tx: Database, changes: readonly LoggedChange[]): Promise<Candidate[]> {
  const rows = await readRows(tx, firstSeenSchema, [changes.map(({ threatId }) => threatId)])`
    select threat_id as id, ${isoUtc('min(at)')} as at from threat_change
     where kind = 'new' and edge = 'live' and threat_id = any($1) group by threat_id`
  const firstSeen = new Map(rows.map(({ id, at }) => [id, Date.parse(at)]))
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

const heldSchema = z.object({
  id: z.string(),
  caseId: z.nullable(z.string()),
  /** `repeated`: the claim adds no fact to a case that matched before, and is not sent. */
  state: z.enum(['known', 'enqueued', 'waiting', 'muted', 'repeated']),
  isCritical: z.boolean(),
  /** Null for a match that was not compared with its case yet. */
  facts: z.nullable(z.readonly(z.array(z.object({ kind: z.enum(CLAIM_FACT_KINDS), text: z.string() })))),
})
/** A stored match of a profile. */
export type HeldMatch = z.infer<typeof heldSchema>

/**
 * Reads the profile's matches of these claims and of other claims in their cases. It also returns the case of each
 * claim.
 */
export async function readHeldMatches(
  tx: Database,
  profileId: string,
  threatIds: readonly string[],
): Promise<{ held: HeldMatch[]; caseIds: ReadonlyMap<string, string> }> {
  const caseIds = await readCaseIds(tx, threatIds)
  const rows = await readRows(tx, heldSchema, [profileId, threatIds, [...new Set(caseIds.values())]])`
    select matched.threat_id as id, case_id::text as "caseId", state, is_critical as "isCritical", facts
      from alert_match matched left join case_claim claim on claim.threat_id = matched.threat_id
     where profile_id = $1
       and matched.threat_id = any($2 || array(select threat_id from case_claim where case_id = any($3::bigint[])))
     order by matched.threat_id for update of matched`
  return { held: rows, caseIds }
}

/** A match to be stored. `waiting` is the content of a later message, and its event. */
export type MatchWrite = Omit<HeldMatch, 'caseId'> & { waiting: (NotifiedThreat & { event: string }) | null }

/** Stores matches in their new states. An existing match keeps its time. */
export async function writeMatches(
  tx: Database,
  profileId: string,
  matches: readonly MatchWrite[],
  now: Date,
): Promise<void> {
  if (matches.length === 0) return
  await execute(tx, [profileId, toStorableJson(matches), now])`
    insert into alert_match (profile_id, threat_id, is_critical, state, facts, threat, at)
    select $1, id, "isCritical", state, facts, waiting, $3
      from jsonb_to_recordset($2::jsonb)
        as given(id text, "isCritical" boolean, state text, facts jsonb, waiting jsonb)
    on conflict (profile_id, threat_id) do update
      set is_critical = excluded.is_critical, state = excluded.state, facts = excluded.facts,
          threat = case when excluded.state = 'waiting' then coalesce(excluded.threat, alert_match.threat) end`
}

/**
 * Records what a new or changed profile already matches, as if it had been sent. `before` is the number of the last
 * change when the evaluation began.
 */
export async function markKnown(
  tx: Database,
  { profileId, createdAt }: { profileId: string; createdAt: string },
  { ids, before }: { ids: readonly string[]; before: number },
): Promise<void> {
  await execute(tx, [profileId, ids, before, createdAt])`
    insert into alert_match (profile_id, threat_id, is_critical, state)
    select $1, id, lower(coalesce(threat::json ->> 'severity', '')) = 'critical', 'known' from window_threat
     where id = any($2) and exists (
       select from threat_change
        where threat_id = id and kind = 'new' and edge = 'live' and (number <= $3 or at < $4))
    on conflict do nothing`
}

/** Deletes at most `most` matches from before a day. Matches that wait are kept. */
export async function deleteOldMatches(tx: Database, before: string, most: number): Promise<number> {
  return execute(tx, [before, most])`
    delete from alert_match
     where (profile_id, threat_id) in (
       select profile_id, threat_id from alert_match
        where state <> 'waiting' and at < $1::timestamptz order by at limit $2)`
}
