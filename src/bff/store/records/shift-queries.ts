import * as z from 'zod/mini'
import { SHIFT_LINES_MAX_COUNT, type Shift, shiftSchema } from '#contract/bff/shift.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { readRow, readRows } from '#database/read-rows.ts'
import { personName } from './person-name.ts'
import { threatRowSchema } from './threat-row.ts'
import { NAMED_MENTIONS } from './triage-queries.ts'
import { BY_PEOPLE } from './work-queries.ts'

const rowsSchema = z.array(threatRowSchema)
const countsSchema = z.array(z.looseObject({ all: z.int() }))
const WHO = `coalesce(${personName('account.id::text = account_id')}, who)`

/** Reads the cases that people closed since a time and did not reopen, with the reason of the last closing. */
export async function readClosedSince(db: Database, since: string): Promise<Shift['closed']> {
  const rows = await readRows(db, z.unknown(), [since])`
    with decided as (
      select distinct on (coalesce(claim.case_id::text, named.threat_id))
             event.id, event.at, account_id, who, action, reason, text, named.threat_id
        from triage_event event
        cross join unnest(threat_ids) as named (threat_id)
        join window_threat stored on stored.id = named.threat_id
        left join case_claim claim on claim.threat_id = named.threat_id
       where ${BY_PEOPLE} and event.at >= $1 and action in ('dismiss', 'restore')
       order by coalesce(claim.case_id::text, named.threat_id), event.id desc, sorted_at desc)
    select threat, ${isoUtc('at')} as at, ${WHO} as who, reason, text, (count(*) over ())::int as all
      from decided join window_threat on window_threat.id = threat_id
     where action = 'dismiss'
     order by decided.id desc, threat_id
     limit ${SHIFT_LINES_MAX_COUNT}`
  return shiftSchema.shape.closed.parse({ cases: countOf(rows), newest: rowsSchema.parse(rows) })
}

/** Reads what people wrote since a time, newest first. */
export async function readCommentsSince(db: Database, since: string): Promise<Shift['comments']> {
  const rows = await readRows(db, z.unknown(), [since])`
    select threat, ${isoUtc('event.at')} as at, ${WHO} as who, text, ${NAMED_MENTIONS} as mentions,
           (count(*) over ())::int as all
      from triage_event event
      cross join lateral (
        select threat from window_threat where id = any(threat_ids) order by sorted_at desc, id desc limit 1) newest
     where ${BY_PEOPLE} and event.at >= $1 and action = 'note'
     order by event.id desc
     limit ${SHIFT_LINES_MAX_COUNT}`
  return shiftSchema.shape.comments.parse({ count: countOf(rows), newest: rowsSchema.parse(rows) })
}

function countOf(rows: unknown[]): number {
  return countsSchema.parse(rows).at(0)?.all ?? 0
}

const ownerSchema = z.object({ name: z.string(), email: z.string() })

/** Reads the accounts that own a threat which is not closed. */
export async function readOwning(db: Database): Promise<z.infer<typeof ownerSchema>[]> {
  return readRows(db, ownerSchema)`
    select ${personName('account.id = owning.id')} as name, email from account owning
     where id in (select owner_id from triage_state where owner_id is not null and dismissed_at is null)
     order by lower(owning.name), id`
}

const startSchema = z.object({ at: z.nullable(z.string()) })

/**
 * Notes that an account opens the page, and returns when it did in the visit before; null on its first. Whoever opens the
 * page again within half an hour is still in the same visit. ISO 8601 UTC, whole minutes.
 */
export async function noteShiftVisit(db: Database, accountId: string): Promise<string | null> {
  const row = await readRow(db, startSchema, [accountId])`
    insert into shift_visit (account_id, seen_at) values ($1, now())
    on conflict (account_id) do update set
      before_at = case
        when now() - shift_visit.seen_at > interval '30 minutes' then shift_visit.seen_at
        else shift_visit.before_at end,
      seen_at = now()
    returning ${isoUtc(`date_trunc('minute', before_at)`)} as at`
  return row.at
}
