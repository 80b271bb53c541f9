import * as z from 'zod/mini'
import { threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, onlyColumn, readRow, readRows } from '#database/read-rows.ts'

export const CHANGE_LOG_DAYS = 30

/**
 * `live`: a request for newer records has brought the change. `past`: older records were read, or stored ones were
 * compared or read again.
 */
const edgeSchema = z.enum(['live', 'past'])
export type ChangeEdge = z.infer<typeof edgeSchema>

const changeSchema = z.object({
  threatId: z.string(),
  kind: z.enum(['new', 'changed', 'removed']),
  /** Names of `Threat`'s members that have changed; empty for new and removed records. */
  fields: z.array(z.string()),
})
export type Change = z.infer<typeof changeSchema>

const loggedSchema = z.extend(changeSchema, {
  number: z.int(),
  edge: edgeSchema,
  /** ISO 8601 UTC. */
  at: z.iso.datetime(),
})
export type LoggedChange = z.infer<typeof loggedSchema>

const membersSchema = z.record(z.string(), z.unknown())
const FIELDS = z.keyof(threatSchema).options

/** Compares a record with its stored version and returns both as JSON; null if no member differs. */
export function compareRecords(id: string, before: string | undefined, now: string): Change | null {
  if (before === undefined) return { threatId: id, kind: 'new', fields: [] }
  if (before === now) return null
  const [old, current] = [before, now].map((text) => membersSchema.parse(JSON.parse(text)))
  const fields = FIELDS.filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(current?.[name]))
  return fields.length === 0 ? null : { threatId: id, kind: 'changed', fields }
}

/** Appends changes in the transaction that makes them: a rollback takes back their numbers too. */
export async function appendChanges(
  db: Database,
  changes: readonly Change[],
  edge: ChangeEdge,
): Promise<void> {
  if (changes.length === 0) return
  const values = [
    JSON.stringify(changes.map((change, at) => ({ ...change, position: at + 1 }))),
    changes.length,
    edge,
  ]
  await execute(db, values)`
    with counter as (
      update threat_change_counter set last = last + $2 returning last - $2 as before
    )
    insert into threat_change (number, threat_id, kind, fields, edge)
    select before + position, "threatId", kind, array(select jsonb_array_elements_text(fields)), $3
      from counter,
           jsonb_to_recordset($1::jsonb) as r(position int, "threatId" text, kind text, fields jsonb)`
}

/**
 * Deletes all changes where stored records are replaced as a whole. No reader's cursor is at the end any more, so each
 * learns that it has missed something.
 */
export async function dropChanges(db: Database): Promise<void> {
  await db.query('delete from threat_change')
  await db.query('update threat_change_counter set last = last + 1')
}

/** Deletes at most so many changes from before a time; answers how many they were. */
export async function deleteOldChanges(db: Database, before: string, most: number): Promise<number> {
  return execute(db, [before, most])`
    delete from threat_change
     where number in (
       select number from (select number, at from threat_change order by number limit $2) oldest
        where at < $1)`
}

export type ChangePage = {
  /** Oldest first. */
  changes: LoggedChange[]
  /** The cursor after this page. */
  next: number
  /** The number of the last change of the log. */
  last: number
  /** Changes that followed the cursor are no longer kept, or the log is older than the cursor. */
  hasMissed: boolean
}

export type ChangeRequest = {
  after: number
  limit: number
  /** No change after this one, where it is given. */
  upTo?: number | undefined
}

const lastSchema = z.object({ last: z.int() })
const rowSchema = z.union([z.extend(loggedSchema, lastSchema.shape), lastSchema])

/** The changes after a cursor, in their order. */
export async function readChanges(db: Database, { after, limit, upTo }: ChangeRequest): Promise<ChangePage> {
  // One statement: retention cannot delete between the two parts.
  const found = await readRows(db, rowSchema, [after, limit, upTo])`
    select last, change.*
      from threat_change_counter
      left join lateral (
        select number, threat_id as "threatId", kind, fields, edge, ${isoUtc('at')} as at
          from threat_change where number > $1 and ($3::bigint is null or number <= $3) order by number limit $2
      ) change on true
     order by number`
  const changes = found.flatMap((row) => ('number' in row ? loggedSchema.parse(row) : []))
  const last = found[0]?.last ?? 0
  const end = Math.min(last, upTo ?? last)
  return {
    changes,
    last,
    next: changes.at(-1)?.number ?? end,
    hasMissed: (changes[0]?.number ?? end + 1) !== after + 1,
  }
}

/** Records that requests for newer ones have brought after a change, oldest first, each once. */
export async function readNewIds(db: Database, { after, limit }: ChangeRequest): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [after, limit])`
    select threat_id as id from threat_change where number > $1 and kind = 'new' and edge = 'live'
     group by threat_id order by min(number) limit $2`
}

/** The end of the log. `isAnew`: records that were shown at an earlier change may be deleted. */
export type LogPosition = { last: number; isAnew: boolean }

export async function readPosition(db: Database, shownAt: number | null): Promise<LogPosition> {
  return readRow(db, z.object({ last: z.int(), isAnew: z.boolean() }), [shownAt])`
    select last,
           coalesce($1 > last
             or $1 + 1 < coalesce((select min(number) from threat_change), last + 1)
             or exists (select from threat_change where kind = 'removed' and number > $1), false) as "isAnew"
      from threat_change_counter`
}

/** The number of the last change. */
export async function readLastChange(db: Database): Promise<number> {
  return readRow(db, onlyColumn(z.int()))`select last from threat_change_counter`
}
