import * as z from 'zod/mini'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'

const storedSchema = z.object({ id: z.string(), threat: z.string() })

/** The records of some ids, in the order of the ids; those that are gone by now are left out. */
export async function readThreats(db: Database, ids: readonly string[]): Promise<Threat[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query('select id, threat from window_threat where id = any($1)', [ids])
  const found = new Map(rows.map((row) => storedSchema.parse(row)).map(({ id, threat }) => [id, threat]))
  return ids.flatMap((id) => {
    const threat = found.get(id)
    return threat === undefined ? [] : [threatSchema.parse(JSON.parse(threat))]
  })
}

/** One record, as the list reported it. */
export async function findThreat(db: Database, id: string): Promise<Threat | null> {
  const { rows } = await db.query('select threat from window_threat where id = $1', [id])
  const row = rows.map((found) => z.object({ threat: z.string() }).parse(found)).at(0)
  return row ? threatSchema.parse(JSON.parse(row.threat)) : null
}

/** When the newest record is from; null while there is none. */
export async function readNewestTime(db: Database): Promise<string | null> {
  const { rows } = await db.query(
    `select to_char(sorted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from window_threat order by sorted_at desc, id desc limit 1`,
  )
  return rows.map((row) => z.object({ at: z.string() }).parse(row)).at(0)?.at ?? null
}
