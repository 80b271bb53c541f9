import type { Database } from '#database/database.ts'
import { affectsRows, findRow } from '#database/read-rows.ts'
import { STORED_COLUMNS, type StoredThreat, storedThreatSchema } from './stored-threat.ts'
import { UNDATED_AT } from './threat-record.ts'
import type { Visibility } from './threat-scope.ts'

/** Reads one record as the key may see it; `outside_window` if it is older than the key's plan shows. */
export async function readThreat(
  db: Database,
  { since, isRedacted }: Visibility,
  id: string,
): Promise<StoredThreat | 'outside_window' | null> {
  // A record without a date is outside of no window.
  const threat = await findRow(db, storedThreatSchema, [since, isRedacted, id, UNDATED_AT])`
    select ${STORED_COLUMNS} from visible_threat(null, $2) t
     where t.id = $3 and ($1::timestamptz is null or t.published_at >= $1 or t.published_at = $4)`
  if (threat) return threat

  return (await affectsRows(db, [id])`select from threat where id = $1`) ? 'outside_window' : null
}
