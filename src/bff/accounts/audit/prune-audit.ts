import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { deleteInPieces } from '#database/delete-in-pieces.ts'

const countSchema = z.tuple([z.object({ count: z.number() })])
const daySchema = z.tuple([z.object({ day: z.iso.date() })])

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
    const { rows } = await tx.query('select prune_audit($1::timestamptz, $2, $3) as count', [
      before,
      most,
      route,
    ])
    const [{ count }] = countSchema.parse(rows)
    return count
  }
  return deleteInPieces(owner, prune, signal)
}

/** Returns true if the chain begins before a day. */
export async function hasAuditBefore(db: Database, before: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from (select record_id from audit_link order by number limit 1) first
       join audit_record on id = first.record_id
      where at < $1::timestamptz`,
    [before],
  )
  return rowCount > 0
}

/** Returns the first of so many days before this one (UTC), by the database's clock, which sets most of its times. */
export async function readFirstDay(db: Database, days: number): Promise<string> {
  const { rows } = await db.query(
    `select to_char((now() at time zone 'utc')::date - $1::int, 'YYYY-MM-DD') as day`,
    [days],
  )
  const [{ day }] = daySchema.parse(rows)
  return day
}
