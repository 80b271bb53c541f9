import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { deleteInPieces } from '#database/delete-in-pieces.ts'
import { affectsRows, readRow } from '#database/read-rows.ts'

const countSchema = z.object({ count: z.number() })
const daySchema = z.object({ day: z.iso.date() })

export type Pruning = {
  /** A day (UTC): what was before it goes. */
  before: string
  /** The record names these facts about who did it. */
  route: string
  signal?: AbortSignal
}

/** Removes the oldest records, by whoever may; checkpoints stay in their place. Answers how many went. */
export function pruneAudit(owner: Database, { before, route, signal }: Pruning): Promise<number> {
  const prune = async (tx: Database, most: number) => {
    const { count } = await readRow(tx, countSchema, [before, most, route])`
      select prune_audit($1::timestamptz, $2, $3) as count`
    return count
  }
  return deleteInPieces(owner, prune, signal)
}

/** Returns true if the chain begins before a day. */
export async function hasAuditBefore(db: Database, before: string): Promise<boolean> {
  return affectsRows(db, [before])`
    select from (select record_id from audit_link order by number limit 1) first
      join audit_record on id = first.record_id
     where at < $1::timestamptz`
}

/** Returns the first of so many days before this one (UTC), by the database's clock, which sets most of its times. */
export async function readFirstDay(db: Database, days: number): Promise<string> {
  const { day } = await readRow(db, daySchema, [days])`
    select to_char((now() at time zone 'utc')::date - $1::int, 'YYYY-MM-DD') as day`
  return day
}
