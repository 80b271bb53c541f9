import * as z from 'zod/mini'
import { dayBounds, toIso } from '#bff/time/time-range.ts'
import { type AuditEvent, type AuditFilter, type AuditPage, auditEventSchema } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { readRows } from '#database/read-rows.ts'

const PAGE_COUNT = 100

/** A filter with the zone of its days. */
type AuditScope = AuditFilter & { timeZone: string }

const detailsSchema = z.nullable(
  z.pipe(
    z.string(),
    z.transform((text): unknown => JSON.parse(text)),
  ),
)
const eventRowSchema = z.pipe(
  z.looseObject({ before: detailsSchema, after: detailsSchema }),
  auditEventSchema,
)

/** Reads one page, newest first. */
export async function listAuditEvents(
  db: Database,
  question: AuditScope,
  cursor: string | undefined,
): Promise<AuditPage> {
  const events = await readEvents(db, question, { before: cursor, limit: PAGE_COUNT + 1 })
  const shown = events.slice(0, PAGE_COUNT)
  return { events: shown, nextCursor: events.length > PAGE_COUNT ? (shown.at(-1)?.id ?? null) : null }
}

/** All that the filter finds; null when that is more than `limit`. */
export async function readAllAuditEvents(
  db: Database,
  question: AuditScope,
  limit: number,
): Promise<AuditEvent[] | null> {
  const events = await readEvents(db, question, { limit: limit + 1 })
  return events.length > limit ? null : events
}

async function readEvents(
  db: Database,
  { who, action, ...days }: AuditScope,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<AuditEvent[]> {
  const { start, end } = dayBounds(days)
  const values = [
    who ?? null,
    action ?? null,
    toIso(start) ?? null,
    toIso(end) ?? null,
    before ?? null,
    limit,
  ]
  return readRows(db, eventRowSchema, values)`
    select event.id::text as id, ${isoUtc('at')} as at,
           case when actor is not null then json_build_object('id', actor, 'email', email) end as actor,
           action, route, object, object_name as "objectName", before, after, address, request_id as "requestId"
      from audit_event as event left join account on account.id = actor
     where ($1::text is null or strpos(email, lower($1)) > 0)
       and ($2::text is null or action = $2)
       and ($3::timestamptz is null or at >= $3)
       and ($4::timestamptz is null or at < $4)
       and ($5::bigint is null or event.id < $5)
     order by event.id desc
     limit $6`
}
