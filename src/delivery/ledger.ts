import * as z from 'zod/mini'
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryState,
  deliveryAttemptSchema,
  deliverySchema,
  deliveryStateSchema,
} from '#contract/delivery.ts'
import { idSchema } from '#contract/id.ts'
import { momentSchema } from '#contract/moment.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, readRow, readRows } from '#database/read-rows.ts'
import { type ReadNow, wakeWorkers } from './ledger-access.ts'

const countSchema = z.object({ state: deliveryStateSchema, count: z.int() })
const summarySchema = z.object({ lastSentAt: z.nullable(z.string()), failures: z.int() })
const threatSchema = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  victim: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  causeIds: z.array(z.string()),
})
const lastSchema = z.array(z.object({ isFirst: z.boolean(), position: z.string(), id: z.uuid() }))
const cursorSchema = z.tuple([z.boolean(), momentSchema, idSchema])

/** `$1` holds the profiles whose messages the reader may see besides those of the team. Null means all. */
const IS_SEEN_MATCH = `
  ($1::text[] is null or exists (
    select from delivery_cause seen
     where seen.id = cause_id and (seen.is_team or seen.id = any($1))))`
/** The content of a test names the tested profiles. A profile that runs in Lantern is named by its id. */
const TESTED = `jsonb_to_recordset(content -> 'causes') tested(id text, name text, "isTeam" boolean)`
const IS_SEEN_TEST = `($1::text[] is null or tested."isTeam" or tested.id = any($1))`
/** A reader with given profiles (`$1`) sees no notices. */
const IS_SEEN = `
  ($1::text[] is null
   or exists (select from delivery_match where delivery_id = delivery.id and ${IS_SEEN_MATCH})
   or exists (select from ${TESTED} where ${IS_SEEN_TEST})
   or (delivery.kind = 'test' and content -> 'causes' = '[]'))`
/** Failed and unclear deliveries come first if `$9` is true. */
const IS_FIRST = `($9::boolean and delivery.state in ('failed', 'unclear'))`

const COLUMNS = `
  delivery.id, delivery.kind, delivery.state, reason, channel, masked as destination,
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name)), '[]')
     from (select cause.id, cause.name
             from delivery_match join delivery_cause cause on cause.id = cause_id
            where delivery_id = delivery.id and ${IS_SEEN_MATCH}
           union select coalesce(tested.id, ''), tested.name from ${TESTED} where ${IS_SEEN_TEST}) named) as causes,
  (select count(distinct nullif(threat_id, '')) from delivery_match
    where delivery_id = delivery.id and ${IS_SEEN_MATCH}) as "threatCount",
  content ->> 'subject' as subject, attempts, ${isoUtc('created_at')} as "createdAt",
  ${isoUtc('next_attempt_at')} as "nextAttemptAt", ${isoUtc('last.ended_at')} as "answeredAt", last.code, last.excerpt,
  to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position`
const FROM = `
  delivery join delivery_destination destination on destination.id = destination_id
  left join lateral (
    select ended_at, code, excerpt from delivery_attempt
     where delivery_id = delivery.id and ended_at is not null order by number desc limit 1) last on true`

export type LedgerReader = {
  /** Owner of the destinations. Any owner if absent. */
  readonly account?: string | undefined
  /**
   * Profiles whose deliveries are returned besides those of the team. All deliveries if absent. A message of several
   * profiles shows only these profiles and their threats.
   */
  readonly profileIds?: readonly string[] | undefined
}

export type LedgerFilter = LedgerReader & {
  readonly states?: readonly DeliveryState[] | undefined
  readonly channel?: string | undefined
  readonly causeId?: string | undefined
  readonly threatId?: string | undefined
  /** Failed and unclear deliveries come before all others. */
  readonly failuresFirst?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * Lists deliveries, newest first unless `failuresFirst` is set. A match without a delivery is only in the counts; a
 * running worker adds it to a delivery within seconds.
 */
export async function listDeliveries(
  db: Database,
  {
    account,
    profileIds,
    states,
    channel,
    causeId,
    threatId,
    failuresFirst = false,
    cursor,
    limit,
  }: LedgerFilter,
): Promise<{ items: Delivery[]; nextCursor: string | null }> {
  const [isFirst, beforeTime, beforeId] = cursor === undefined ? [] : readCursor(cursor)
  const { rows } = await db.query(
    `select ${COLUMNS}, ${IS_FIRST} as "isFirst" from ${FROM}
      where ${IS_SEEN} and ($2::text is null or account = $2)
        and ($3::text[] is null or delivery.state = any($3)) and ($4::text is null or channel = $4)
        and ($5::text is null or exists (
          select from delivery_match
           where delivery_id = delivery.id and cause_id = $5 and ${IS_SEEN_MATCH})
          or exists (select from ${TESTED} where tested.id = $5 and ${IS_SEEN_TEST}))
        and ($6::text is null or exists (
          select from delivery_match where delivery_id = delivery.id and threat_id = $6 and ${IS_SEEN_MATCH}))
        and ($7::timestamptz is null or (${IS_FIRST}, created_at, delivery.id) < ($10, $7, $8::uuid))
      order by ${IS_FIRST} desc, created_at desc, delivery.id desc
      limit $11`,
    [
      ...[profileIds, account, states, channel, causeId, threatId],
      ...[beforeTime, beforeId, failuresFirst, isFirst, limit + 1],
    ],
  )
  const items = z.array(deliverySchema).parse(rows.slice(0, limit))
  const [last] = lastSchema.parse(rows.slice(limit - 1, limit))
  return {
    items,
    nextCursor: last && rows.length > limit ? writeCursor([last.isFirst, last.position, last.id]) : null,
  }
}

/** Reads a delivery with every attempt, oldest first; null if there is none of that id. */
export async function readDelivery(
  db: Database,
  id: string,
  { account, profileIds }: LedgerReader = {},
): Promise<(Delivery & { history: DeliveryAttempt[] }) | null> {
  const delivery = await findRow(db, deliverySchema, [profileIds, account, id])`
    select ${COLUMNS} from ${FROM}
     where ${IS_SEEN} and ($2::text is null or account = $2) and delivery.id = $3`
  if (!delivery) return null
  const history = await readRows(db, deliveryAttemptSchema, [id])`
    select number, ${isoUtc('started_at')} as "startedAt", ${isoUtc('ended_at')} as "endedAt", outcome, code, excerpt
      from delivery_attempt where delivery_id = $1 order by number`
  return { ...delivery, history }
}

/** Lists the threats of a delivery, sent or waiting, with the title in the message. */
export async function listNotifiedThreats(
  db: Database,
  id: string,
  { profileIds }: LedgerReader = {},
): Promise<z.infer<typeof threatSchema>[]> {
  return readRows(db, threatSchema, [profileIds, id])`
    select threat_id as id, min(threat ->> 'title') as title, min(threat ->> 'victim') as victim,
           min(threat ->> 'actor') as actor, array_agg(distinct cause_id) as "causeIds"
      from delivery_match
     where ${IS_SEEN_MATCH} and delivery_id = $2 and left_out is null and threat_id <> '' group by threat_id order by threat_id`
}

/** Summarizes a profile's deliveries: when the last was sent, and how many failed or are unclear in 7 days. */
export async function summarizeCause(
  db: Database,
  id: string,
  readNow: ReadNow,
): Promise<{ lastSentAt: string | null; failures: number }> {
  return readRow(db, summarySchema, [id, await readNow(db)])`
    select ${isoUtc(`max(last.ended_at) filter (where delivery.state = 'sent')`)} as "lastSentAt",
           count(*) filter (where delivery.state in ('failed', 'unclear')
             and delivery.created_at > $2::timestamptz - interval '7 days') as failures
      from ${FROM}
     where delivery.id in (
       select delivery_id from delivery_match where cause_id = $1 and left_out is null)`
}

/** Counts deliveries by state. Matches without a delivery count as one queued delivery per destination. */
export async function countDeliveries(
  db: Database,
  { account, profileIds }: LedgerReader = {},
): Promise<Record<DeliveryState, number>> {
  const rows = await readRows(db, countSchema, [profileIds, account])`
    select state, count(*) as count
      from delivery join delivery_destination destination on destination.id = destination_id
     where ${IS_SEEN} and ($2::text is null or account = $2) group by state
    union all
    select 'queued', count(distinct destination_id)
      from delivery_match join delivery_destination destination on destination.id = destination_id
     where delivery_id is null and ${IS_SEEN_MATCH} and ($2::text is null or account = $2)`
  const counts = {
    queued: 0,
    sending: 0,
    sent: 0,
    retrying: 0,
    failed: 0,
    unclear: 0,
    heldBack: 0,
    notSent: 0,
  }
  for (const { state, count } of rows) counts[state] += count
  return counts
}

/**
 * Sends a delivery again that failed, is unclear or was not sent, even if its destination had ended. A delivery of a
 * paused profile is still not sent. Returns true if the delivery was in one of these states.
 */
export async function sendAgain(tx: Database, id: string, readNow: ReadNow): Promise<boolean> {
  const rowCount = await execute(tx, [id, await readNow(tx)])`
    update delivery
       set state = 'queued', next_attempt_at = $2, retries_until = null, attempts_before = attempts, reason = null,
           pages_taken = 0,
           touched_at = $2
     where id = $1 and state in ('failed', 'unclear', 'notSent')`
  if (rowCount === 0) return false
  await tx.query('update delivery_match set left_out = null where delivery_id = $1', [id])
  await execute(tx, [id])`
    update delivery_destination set ended_at = null
     where ended_at is not null and id = (select destination_id from delivery where id = $1)`
  await wakeWorkers(tx)
  return true
}

function writeCursor(position: z.infer<typeof cursorSchema>): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** An invalid cursor starts at the first page. */
function readCursor(cursor: string): z.infer<typeof cursorSchema> | [] {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    return []
  }
}
