import * as z from 'zod/mini'
import type { TeamFigures } from '#contract/bff/team-figures.ts'
import { closeReasonSchema } from '#contract/bff/triage-state.ts'
import { SEVERITIES, severitySchema } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'

/** From `start` on, before `end`, epoch milliseconds. */
type Span = { start: number; end: number }

/** Events that Lantern writes itself have this account (`share-state.ts`). */
export const BY_PEOPLE = `account_id <> 'lantern' and undone_by is null and action <> 'undo'`

/**
 * From when on all that people did is recorded, ISO 8601 UTC; null if they never did anything. Old events are deleted, and
 * only comments stay: where anything else is recorded, they do not count.
 */
export async function readFirstWork(db: Database): Promise<string | null> {
  const row = await readRow(db, z.object({ at: z.nullable(z.string()) }))`
    select ${isoUtc(`coalesce(min(at) filter (where action <> 'note'), min(at))`)} as at
      from triage_event where account_id <> 'lantern'`
  return row.at
}

const timeSchema = z.object({
  kind: z.enum(['look', 'closing']),
  isAll: z.boolean(),
  severity: z.nullable(severitySchema),
  cases: z.int(),
  medianMs: z.nullable(z.number()),
  p90Ms: z.nullable(z.number()),
})
export type WorkTimes = z.infer<typeof timeSchema>[]

/** The rank of the severity of a record: 1 for the gravest. */
const RANK = `case ${SEVERITIES.map((severity, at) => `when 'severity:${severity}' = any(terms) then ${at + 1}`).join(' ')} end`

/**
 * Measures how long cases waited that were first looked at, or closed, in a time: by severity, and all together. Cases
 * of which Lantern read all claims from the past are left out. Events may be deleted by then, so that the marks of a case can show that
 * somebody had looked at it before. Arrays: estimates for sets of cases would lead to scans of all records.
 */
export async function readWorkTimes(db: Database, { start, end }: Span): Promise<WorkTimes> {
  return readRows(db, timeSchema, [new Date(start), new Date(end), SEVERITIES])`
    with looked as (
      select case_id, min(looked_at) as at, min(known_at) as known_at,
             min(least(read_at, starred_at, owned_at, case when dismissed_by <> 'Lantern' then dismissed_at end)) as marked_at
        from (select distinct case_id from triage_state join case_claim using (threat_id)
               where looked_at >= $1 and looked_at < $2) near
        join case_claim using (case_id) left join triage_state using (threat_id)
       group by case_id),
    decided as (
      select distinct on (case_id) case_id, event.at, action
        from triage_event event
        cross join unnest(threat_ids) as named (threat_id)
        join case_claim claim using (threat_id)
       where ${BY_PEOPLE} and event.at >= $1 and event.at < $2 and action in ('dismiss', 'restore')
       order by case_id, event.id desc),
    closed as (
      select case_id, at, min(known_at) as known_at
        from decided join case_claim using (case_id)
       where action = 'dismiss'
       group by case_id, at),
    measured as materialized (
      select kind, case_id, extract(epoch from at - known_at)::float8 * 1000 as took
        from (
          select 'look' as kind, case_id, at, known_at from looked where at >= $1 and (marked_at is null or marked_at >= $1)
          union all
          select 'closing', case_id, at, known_at from closed) done
       where at >= known_at),
    rated as (
      select case_id, min(${RANK}) as rank
        from case_claim join window_threat on id = threat_id
       where case_id = any(array(select case_id from measured))
       group by case_id)
    select kind, grouping(rank) = 1 as "isAll", ($3::text[])[rank] as severity, count(*)::int as cases,
           percentile_cont(0.5) within group (order by took) as "medianMs",
           percentile_disc(0.9) within group (order by took) as "p90Ms"
      from measured left join rated using (case_id)
     group by grouping sets ((kind), (kind, rank))
     order by kind, grouping(rank) desc, rank nulls last`
}

const closedSchema = z.object({ reason: closeReasonSchema, cases: z.int() })

/** Counts the cases that people closed in a time and did not reopen in it, by the reason of the last closing. */
export async function countClosed(
  db: Database,
  { start, end }: Span,
): Promise<TeamFigures['closed']['byReason']> {
  return readRows(db, closedSchema, [new Date(start), new Date(end)])`
    with decided as (
      select distinct on (coalesce(claim.case_id::text, named.threat_id)) action, reason
        from triage_event event
        cross join unnest(threat_ids) as named (threat_id)
        left join case_claim claim using (threat_id)
       where ${BY_PEOPLE} and event.at >= $1 and event.at < $2 and action in ('dismiss', 'restore')
       order by coalesce(claim.case_id::text, named.threat_id), event.id desc)
    select reason, count(*)::int as cases from decided where action = 'dismiss' group by reason order by cases desc, reason`
}

/** Counts the claims that Lantern closed in a time because they repeat what is known of a closed case. */
export async function countRepeats(db: Database, { start, end }: Span): Promise<number> {
  return readRow(db, onlyColumn(z.int()), [new Date(start), new Date(end)])`
    select count(distinct threat_id)::int as claims
      from triage_event cross join unnest(threat_ids) as named (threat_id)
     where account_id = 'lantern' and action = 'dismiss' and undone_by is null and at >= $1 and at < $2`
}
