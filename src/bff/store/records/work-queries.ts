import * as z from 'zod/mini'
import type { TeamFigures } from '#contract/bff/team-figures.ts'
import { closeReasonSchema } from '#contract/bff/triage-state.ts'
import { SEVERITIES, severitySchema } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

/** From `start` on, before `end`, epoch milliseconds. */
type Span = { start: number; end: number }

/** Events that Lantern writes itself have this account (`share-state.ts`). */
export const BY_PEOPLE = `account_id <> 'lantern' and undone_by is null and action <> 'undo'`

/**
 * From when on all that people did is recorded, ISO 8601 UTC; null if they never did anything. Old events are deleted, and
 * only comments stay: where anything else is recorded, they do not count.
 */
export async function readFirstWork(db: Database): Promise<string | null> {
  const { rows } = await db.query(
    `select ${isoUtc(`coalesce(min(at) filter (where action <> 'note'), min(at))`)} as at
       from triage_event where account_id <> 'lantern'`,
  )
  return z.object({ at: z.nullable(z.string()) }).parse(rows[0]).at
}

const timesSchema = z.array(
  z.object({
    kind: z.enum(['look', 'closing']),
    isAll: z.boolean(),
    severity: z.nullable(severitySchema),
    cases: z.int(),
    medianMs: z.nullable(z.number()),
    p90Ms: z.nullable(z.number()),
  }),
)
export type WorkTimes = z.infer<typeof timesSchema>

/**
 * Measures how long cases waited that were first looked at, or closed, in a time: by severity, and all together. Cases
 * of which Lantern read all claims from the past are left out. Events may be deleted by then, so that the marks of a case can show that
 * somebody had looked at it before.
 */
export async function readWorkTimes(db: Database, { start, end }: Span): Promise<WorkTimes> {
  const { rows } = await db.query(
    `with acted as materialized (
       select event.id, event.at, event.action, claim.case_id
         from triage_event event
         cross join unnest(threat_ids) as named (threat_id)
         join case_claim claim using (threat_id)
        where ${BY_PEOPLE} and event.at >= $1 and event.at < $2),
     touched as (
       select case_id, min(at) as at from acted group by case_id),
     claims as materialized (
       select case_id, threat_id from case_claim where case_id = any(array(select case_id from touched))),
     looked_before as (
       select distinct case_id
         from triage_event
         cross join unnest(threat_ids) as named (threat_id)
         join claims using (threat_id)
        where ${BY_PEOPLE} and at < $1),
     looked as (
       select case_id, at from touched where not exists (
         select from looked_before where looked_before.case_id = touched.case_id)),
     decided as (
       select distinct on (case_id) case_id, at, action from acted
        where action in ('dismiss', 'restore') order by case_id, id desc),
     done as (
       select 'look' as kind, case_id, at from looked
       union all
       select 'closing', case_id, at from decided where action = 'dismiss'),
     known as (
       select case_id, min(known_at) as known_at,
              min(array_position($3::text[], substr(term, 10))) as rank,
              min(least(read_at, starred_at, owned_at, case when dismissed_by <> 'Lantern' then dismissed_at end)) as marked_at
         from case_claim claim
         left join window_threat on id = claim.threat_id
         left join lateral (select term from unnest(terms) as named (term) where starts_with(term, 'severity:')) rated on true
         left join triage_state state on state.threat_id = claim.threat_id
        where case_id = any(array(select case_id from done))
        group by case_id
       having min(known_at) is not null),
     measured as (
       select kind, rank, extract(epoch from at - known_at)::float8 * 1000 as took
         from done join known using (case_id)
        where at >= known_at and (kind = 'closing' or marked_at is null or marked_at >= $1))
     select kind, grouping(rank) = 1 as "isAll", ($3::text[])[rank] as severity, count(*)::int as cases,
            percentile_cont(0.5) within group (order by took) as "medianMs",
            percentile_disc(0.9) within group (order by took) as "p90Ms"
       from measured
      group by grouping sets ((kind), (kind, rank))
      order by kind, grouping(rank) desc, rank nulls last`,
    [new Date(start), new Date(end), SEVERITIES],
  )
  return timesSchema.parse(rows)
}

const closedSchema = z.array(z.object({ reason: closeReasonSchema, cases: z.int() }))

/** Counts the cases that people closed in a time and did not reopen in it, by the reason of the last closing. */
export async function countClosed(
  db: Database,
  { start, end }: Span,
): Promise<TeamFigures['closed']['byReason']> {
  const { rows } = await db.query(
    `with decided as (
       select distinct on (coalesce(claim.case_id::text, named.threat_id)) action, reason
         from triage_event event
         cross join unnest(threat_ids) as named (threat_id)
         left join case_claim claim using (threat_id)
        where ${BY_PEOPLE} and event.at >= $1 and event.at < $2 and action in ('dismiss', 'restore')
        order by coalesce(claim.case_id::text, named.threat_id), event.id desc)
     select reason, count(*)::int as cases from decided where action = 'dismiss' group by reason order by cases desc, reason`,
    [new Date(start), new Date(end)],
  )
  return closedSchema.parse(rows)
}

/** Counts the claims that Lantern closed in a time because they repeat what is known of a closed case. */
export async function countRepeats(db: Database, { start, end }: Span): Promise<number> {
  const { rows } = await db.query(
    `select count(distinct threat_id)::int as claims
       from triage_event cross join unnest(threat_ids) as named (threat_id)
      where account_id = 'lantern' and action = 'dismiss' and undone_by is null and at >= $1 and at < $2`,
    [new Date(start), new Date(end)],
  )
  return z.object({ claims: z.int() }).parse(rows[0]).claims
}
