import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { findRow, onlyColumn, readRows } from '#database/read-rows.ts'

const storedSchema = z.object({ id: z.string(), threat: z.string() })

/** The records of some ids, in the order of the ids; those that are gone by now are left out. */
export async function readThreats(db: Database, ids: readonly string[]): Promise<Threat[]> {
  if (ids.length === 0) return []
  const rows = await readRows(db, storedSchema, [ids])`
    select id, threat from window_threat where id = any($1)`
  const found = new Map(rows.map(({ id, threat }) => [id, threat]))
  return ids.flatMap((id) => {
    const threat = found.get(id)
    return threat === undefined ? [] : [threatSchema.parse(JSON.parse(threat))]
  })
}

/** Some 20,000 records. */
const KEPT_MAX_LENGTH = 32 * 1024 * 1024
const KEPT_AHEAD_COUNT = 5_000

/** Records for searches that nobody has made before the database went away. */
export function createRecordCache(database: Database) {
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_MAX_LENGTH,
    sizeCalculation: ({ length }) => length + 1,
  })
  let keptUpTo = -1

  async function keepSince(revision: number): Promise<void> {
    const rows = await readRows(database, storedSchema, [revision])`
      select id, threat from window_threat where revision > $1 order by sorted_at desc, id desc limit ${KEPT_AHEAD_COUNT}`
    // The newest last: what was used longest ago goes first.
    for (const { id, threat } of rows.reverse()) kept.set(id, threat)
  }

  return {
    /** Does the same as `readThreats`. While the database is away, it reads from memory if all of them are there. */
    async read(ids: readonly string[]): Promise<Threat[]> {
      try {
        return await readThreats(database, ids)
      } catch (error) {
        const found = ids.flatMap((id) => kept.get(id) ?? [])
        if (!isDatabaseAway(error) || found.length < ids.length) throw error
        return found.map((threat) => threatSchema.parse(JSON.parse(threat)))
      }
    },
    /** Takes the newest into memory once another revision is stored. */
    keepUp(revision: number): void {
      if (revision === keptUpTo) return
      const before = keptUpTo
      keptUpTo = revision
      keepSince(before).catch(() => {
        // The next look tries again.
        keptUpTo = before
      })
    },
  }
}

/** Reads one record as the list reported it. */
export async function findThreat(db: Database, id: string): Promise<Threat | null> {
  const row = await findRow(db, z.object({ threat: z.string() }), [id])`
    select threat from window_threat where id = $1`
  return row ? threatSchema.parse(JSON.parse(row.threat)) : null
}

/** Returns the time of the newest record before a moment; null if there is none. */
export async function readNewestTime(db: Database, before: string): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()), [before])`
    select to_char(sorted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from window_threat where sorted_at <= $1 order by sorted_at desc, id desc limit 1`
}
