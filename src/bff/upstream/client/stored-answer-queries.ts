import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, findRow } from '#database/read-rows.ts'

const BYTES_MAX = 128 * 1024 * 1024

const foundSchema = z.object({ answer: z.string(), fetchedAtMs: z.number() })

export async function findAnswer(
  db: Database,
  requestHash: Buffer,
  sinceMs: number,
): Promise<z.infer<typeof foundSchema> | null> {
  return findRow(db, foundSchema, [requestHash, sinceMs])`
    select answer, round(extract(epoch from fetched_at) * 1000)::float8 as "fetchedAtMs"
      from stored_answer
     where question = $1 and answer is not null and fetched_at >= to_timestamp($2::float8 / 1000)`
}

/** Claims the request; false while another process is calling. */
export async function claimAnswer(
  db: Database,
  requestHash: Buffer,
  { claimant, nowMs, untilMs }: { claimant: string; nowMs: number; untilMs: number },
): Promise<boolean> {
  return affectsRows(db, [requestHash, claimant, nowMs, untilMs])`
    insert into stored_answer (question, fetched_at, asked_by, asked_until)
    values ($1, to_timestamp($3::float8 / 1000), $2, to_timestamp($4::float8 / 1000))
    on conflict (question) do update set asked_by = excluded.asked_by, asked_until = excluded.asked_until
     where stored_answer.asked_until is null or stored_answer.asked_until <= to_timestamp($3::float8 / 1000)
        or stored_answer.asked_until > to_timestamp($4::float8 / 1000) + interval '1 minute'`
}

export async function writeAnswer(
  db: Database,
  requestHash: Buffer,
  { answer, fetchedAtMs }: { answer: string; fetchedAtMs: number },
): Promise<void> {
  await execute(db, [requestHash, answer, fetchedAtMs])`
    update stored_answer
       set answer = $2, fetched_at = to_timestamp($3::float8 / 1000), asked_by = null, asked_until = null
     where question = $1`
}

/** Gives the claim up; what must not be shown any more is deleted. */
export async function releaseAnswer(
  db: Database,
  requestHash: Buffer,
  { claimant, isGone }: { claimant: string; isGone: boolean },
): Promise<void> {
  await db.query(
    isGone
      ? 'delete from stored_answer where question = $1 and asked_by = $2'
      : 'update stored_answer set asked_by = null, asked_until = null where question = $1 and asked_by = $2',
    [requestHash, claimant],
  )
}

/** Bounds what is kept in age and in bytes, the newest first. */
export async function deleteOldAnswers(db: Database, beforeMs: number): Promise<void> {
  await execute(db, [beforeMs, BYTES_MAX])`
    delete from stored_answer
     where fetched_at < to_timestamp($1::float8 / 1000)
        or question in (
             select question
               from (select question, sum(octet_length(answer)) over (order by fetched_at desc) as bytes
                       from stored_answer) as newest
              where bytes > $2)`
}
