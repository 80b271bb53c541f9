import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

const leftSchema = z.object({ left_at: z.nullable(z.string()) })

// The request that begins a visit may be answered before it is noted.
const LEFT_AT = `(case when now() - seen_at > interval '30 minutes' then seen_at else left_at end)`

/** Returns when an account's last visit ended, ISO 8601 UTC; null on its first. */
export async function readLastLeft(db: Database, accountId: string): Promise<string | null> {
  const { rows } = await db.query(
    `select ${isoUtc(LEFT_AT)} as left_at
       from visit
      where account_id = $1`,
    [accountId],
  )
  return rows.length === 0 ? null : leftSchema.parse(rows[0]).left_at
}
