import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute } from '#database/read-rows.ts'

const RETRY_FIRST_MINUTES = 15
const RETRY_MAX_MINUTES = 240
/** A time that lies further ahead was written by a clock that has been set back. */
export const KEY_RETRY_MAX_MS = 5 * HOUR_MS

/** Other calls that were under way at the refusal end in it as well: they do not count again. */
const IS_AGAIN = `refused_key.retry_at <= to_timestamp($2::float8 / 1000) + interval '15 seconds'`

/** Stores that the vendor refuses a key, and its last words. The key is tried again after a while, twice as long each time. */
export async function writeRefusedKey(
  tx: Database,
  keyFingerprint: Buffer,
  { callId, nowMs, words }: { callId: number; nowMs: number; words: string | null },
): Promise<void> {
  await execute(tx, [keyFingerprint, nowMs, callId, words])`
    insert into refused_key (key_fingerprint, call_id, refused_at, retry_at, words)
    values ($1, $3, to_timestamp($2::float8 / 1000),
            to_timestamp($2::float8 / 1000) + make_interval(mins => ${RETRY_FIRST_MINUTES}), $4)
    on conflict (key_fingerprint) do update
       set call_id = greatest(refused_key.call_id, excluded.call_id),
           words = excluded.words,
           refusals = refused_key.refusals + case when ${IS_AGAIN} then 1 else 0 end,
           retry_at = case when ${IS_AGAIN}
             then excluded.refused_at + make_interval(mins =>
               least(${RETRY_MAX_MINUTES}, ${RETRY_FIRST_MINUTES} * 2 ^ least(refused_key.refusals, 10))::int)
             else refused_key.retry_at end`
}

/** Claims the retry of a refused key; false where another caller has it. */
export async function takeRetry(
  tx: Database,
  keyFingerprint: Buffer,
  { nowMs, forMs }: { nowMs: number; forMs: number },
): Promise<boolean> {
  return affectsRows(tx, [keyFingerprint, nowMs, nowMs + forMs, nowMs + KEY_RETRY_MAX_MS])`
    update refused_key set retry_at = to_timestamp($3::float8 / 1000)
     where key_fingerprint = $1
       and retry_at not between to_timestamp($2::float8 / 1000) + interval '1 millisecond'
                            and to_timestamp($4::float8 / 1000)`
}

/** Lets the next call retry at once: an admin wants to know. */
export async function hastenRetry(db: Database, keyFingerprint: Buffer, nowMs: number): Promise<void> {
  await execute(db, [keyFingerprint, nowMs])`
    update refused_key set retry_at = to_timestamp($2::float8 / 1000) where key_fingerprint = $1`
}

export async function deleteRefusedKey(tx: Database, keyFingerprint: Buffer): Promise<void> {
  await tx.query('delete from refused_key where key_fingerprint = $1', [keyFingerprint])
}
