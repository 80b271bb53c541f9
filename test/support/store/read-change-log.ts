import { readChanges } from '#bff/store/changes/change-log.ts'
import type { Database } from '#database/database.ts'

/** The whole change log, a line for each change; throws where its numbers have a gap. */
export async function readChangeLog(database: Database): Promise<string[]> {
  const { rows } = await database.query('select coalesce(min(number), 1) - 1 as start from threat_change')
  const { start } = Object(rows[0])
  const { changes } = await readChanges(database, { after: Number(start), limit: 1_000_000 })
  return changes.map(({ number, threatId, kind, fields, edge }, at) => {
    if (number !== Number(start) + at + 1) throw new Error(`A gap before change ${number}`)
    return [kind, threatId, ...(fields.length > 0 ? [fields.join('+')] : []), edge].join(' ')
  })
}
