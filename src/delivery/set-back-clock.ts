import type { Database } from '#database/database.ts'
import type { ReadNow } from './ledger-access.ts'

const SET_BACK_MS = 5_000

/** Where the clock was set back, what waits for a moment waits as much less: what was touched in the future says so. */
export async function setBackClock(db: Database, readNow: ReadNow): Promise<void> {
  const now = await readNow(db)
  const later = new Date(now.getTime() + SET_BACK_MS)
  await db.query(
    `update delivery
        set next_attempt_at = next_attempt_at - (touched_at - $1::timestamptz), leased_until = leased_until - (touched_at - $1::timestamptz),
            retries_until = retries_until - (touched_at - $1::timestamptz), touched_at = $1
      where touched_at > $2 and (next_attempt_at is not null or leased_until is not null)`,
    [now, later],
  )
  await db.query(
    `update delivery_destination
        set not_before = not_before - (touched_at - $1::timestamptz), free_at = free_at - (touched_at - $1::timestamptz),
            gathers_until = gathers_until - (touched_at - $1::timestamptz), hour_from = hour_from - (touched_at - $1::timestamptz), touched_at = $1
      where touched_at > $2`,
    [now, later],
  )
}
