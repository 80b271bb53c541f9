import * as z from 'zod/mini'
import { MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { LATE_AFTER_MS } from './destination-health.ts'

/** A message that is still retried so long after its first attempt is reported. */
const RETRYING_AFTER_MS = 4 * MINUTE_MS
/** A failure is reported for this long, even if a later message has arrived. */
const REPORTED_MS = 5 * MINUTE_MS
/** Older failures appear only in the delivery ledger. */
const FAILED_MS = 7 * 24 * 60 * MINUTE_MS
/** A due message that no worker claims for this long is reported. */
const TAKEN_AFTER_MS = 3 * MINUTE_MS

const troubleSchema = z.object({
  /** `unreached`: a message is retried, or waits, for too long. */
  kind: z.enum(['unreached', 'failed', 'unclear', 'ended']),
  destinationId: z.uuid(),
  channel: z.string(),
  masked: z.string(),
  line: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
  since: z.coerce.date(),
  fault: z.nullable(z.object({ code: z.nullable(z.string()), excerpt: z.string() })),
  retriesAt: z.nullable(z.coerce.date()),
})
export type Trouble = z.infer<typeof troubleSchema>

const DESTINATION = `
  destination.id as "destinationId", channel, masked, line, encode(fingerprint, 'hex') as fingerprint,
  encode(sealed, 'hex') as sealed`

/** Lists destinations that messages do not reach. A destination that has ended has no other trouble. */
export async function listTroubles(db: Database, now: Date): Promise<Trouble[]> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const values = [before(RETRYING_AFTER_MS), before(LATE_AFTER_MS), before(FAILED_MS), before(REPORTED_MS)]
  return readRows(db, troubleSchema, values)`
    select case when state in ('failed', 'unclear') then state else 'unreached' end as kind, ${DESTINATION},
           min(coalesce(started_at, next_attempt_at, last.ended_at)) as since,
           (array_agg(last.fault order by last.ended_at desc nulls last))[1] as fault,
           min(next_attempt_at) filter (where state = 'retrying') as "retriesAt"
      from delivery join delivery_destination destination on destination.id = destination_id
      left join delivery_attempt on delivery_id = delivery.id and number = attempts_before + 1
      left join lateral (
        select attempt.ended_at, json_build_object('code', code, 'excerpt', excerpt) as fault
          from delivery_attempt attempt
         where delivery_id = delivery.id and attempt.ended_at is not null order by number desc limit 1) last on true
     where (kind <> 'test' or content -> 'requestedBy' = 'null') and destination.ended_at is null
       and ((next_attempt_at is not null and state = 'retrying' and started_at <= $1)
         or (leased_until is not null and started_at <= $1)
         or (next_attempt_at <= $2 and state = 'queued')
         or (state in ('failed', 'unclear') and delivery.touched_at > $3
           and last.ended_at > least(coalesce(proven_at, '-infinity'), $4)))
     group by 1, destination.id
    union all
    select 'ended', ${DESTINATION}, ended_at, json_build_object('code', fault_code, 'excerpt', fault), null
      from delivery_destination destination where ended_at is not null and fault is not null`
}

/** Returns since when a due message waits while no worker sends anything; null if there is none. */
export async function findStoppedSince(db: Database, now: Date): Promise<Date | null> {
  return readRow(db, onlyColumn(z.nullable(z.coerce.date())), [
    new Date(now.getTime() - TAKEN_AFTER_MS),
    now,
  ])`
    select min(at) as since
      from (select greatest(next_attempt_at, free_at, case when kind <> 'test' then not_before end) as at
              from delivery join delivery_destination destination on destination.id = destination_id
             where next_attempt_at <= $1
            union all
            select matched_at from delivery_match where delivery_id is null) waiting
     where at <= $1
       and not exists (select from delivery where leased_until >= $2)
       and not exists (select from delivery where attempts > 0 and touched_at > $1)`
}
