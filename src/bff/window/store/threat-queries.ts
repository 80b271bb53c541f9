import * as z from 'zod/mini'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import type { Scope } from './threat-scope.ts'

/** Where a page ends. */
export type WindowPlace = { at: string; id: string }

const rowSchema = z.object({ threat: z.string(), at: z.string(), id: z.string() })
const storedSchema = z.object({ id: z.string(), threat: z.string() })
const countSchema = z.object({ total: z.int() })

const AT = `to_char(sorted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** One page, newest first, and the place of its last row where more follow. */
export async function readPage(
  db: Database,
  { where, values }: Scope,
  { after, limit }: { after: WindowPlace | null; limit: number },
): Promise<{ threats: Threat[]; next: WindowPlace | null }> {
  const count = values.length
  const { rows } = await db.query(
    `select threat, id, ${AT} as at
       from window_threat
      where ${where}
        and ($${count + 1}::timestamptz is null or (sorted_at, id) < ($${count + 1}, $${count + 2}))
      order by sorted_at desc, id desc
      limit $${count + 3}`,
    [...values, after?.at ?? null, after?.id ?? null, limit + 1],
  )
  const page = rows.slice(0, limit).map((row) => rowSchema.parse(row))
  const last = page.at(-1)
  return {
    threats: page.map(({ threat }) => threatSchema.parse(JSON.parse(threat))),
    next: last && rows.length > limit ? { at: last.at, id: last.id } : null,
  }
}

export async function countThreats(db: Database, { where, values }: Scope): Promise<number> {
  const { rows } = await db.query(`select count(*) as total from window_threat where ${where}`, values)
  return countSchema.parse(rows[0]).total
}

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

/** One record, as the list told it. */
export async function findThreat(db: Database, id: string): Promise<Threat | null> {
  const { rows } = await db.query('select threat from window_threat where id = $1', [id])
  const row = rows.map((found) => z.object({ threat: z.string() }).parse(found)).at(0)
  return row ? threatSchema.parse(JSON.parse(row.threat)) : null
}

/** When the newest record is from; null while there is none. */
export async function readNewestTime(db: Database): Promise<string | null> {
  const { rows } = await db.query(
    `select ${AT} as at from window_threat order by sorted_at desc, id desc limit 1`,
  )
  return rows.map((row) => z.object({ at: z.string() }).parse(row)).at(0)?.at ?? null
}
