import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, findRow } from '#database/read-rows.ts'
import { createToken, hashToken } from './key-token.ts'

const idSchema = z.object({ id: z.string() })

/**
 * Makes a new key with the plans of an old one, which goes on working until the overlap ends. Answers null when there
 * is no such key, or it is ended, expired or being replaced already.
 */
export async function rotateKey(
  db: Database,
  keyId: string,
  { overlapHours }: { overlapHours: number },
): Promise<{ id: string; token: string } | null> {
  const token = createToken()
  const fresh = await findRow(db, idSchema, [keyId, hashToken(token), overlapHours])`
    with old as (
      select * from api_key
       where id = $1 and ends_at is null and (trial_expires_at is null or trial_expires_at > now())
         for update
    ),
    fresh as (
      insert into api_key (account_id, name, token_hash, earlier_plan, earlier_requests_per_minute, v1_plan,
        trial_expires_at)
      select account_id, name, $2, earlier_plan, earlier_requests_per_minute, v1_plan, trial_expires_at from old
      returning id
    ),
    ended as (
      update api_key
         set ends_at = now() + make_interval(secs => $3::float8 * 3600), replaced_by = (select id from fresh)
       where id = (select id from old)
    )
    select id from fresh`
  return fresh ? { id: fresh.id, token } : null
}

/** Ends a key at once; false when there is none that still works. */
export async function revokeKey(db: Database, keyId: string): Promise<boolean> {
  // A clock may go back a little between two looks: what ends within a second has ended.
  return affectsRows(db, [keyId])`
    update api_key set ends_at = now()
     where id = $1 and (ends_at is null or ends_at > now() + interval '1 second')`
}
