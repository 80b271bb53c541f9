import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, onlyColumn, readRow } from '#database/read-rows.ts'
import { type ChangePage, readChanges } from './change-log.ts'

/** `after`: the cursor before the page. */
export type ReadOnPage = ChangePage & { after: number }

/**
 * The changes that follow those that a reader has read before; one that is new begins at the end of the log. Its cursor
 * moves on in the caller's transaction: a rollback, or the end of the process, gives it the same page again. Other
 * processes wait for that transaction, so that no two work on the same page.
 */
export async function readOn(
  tx: Database,
  reader: string,
  limit: number,
  upTo?: number,
): Promise<ReadOnPage> {
  await execute(tx, [reader])`
    insert into change_reader (name, cursor) select $1, last from threat_change_counter
    on conflict (name) do nothing`
  const { cursor } = await readRow(tx, z.object({ cursor: z.int() }), [reader])`
    select cursor from change_reader where name = $1 for update`
  const page = await readChanges(tx, { after: cursor, limit, upTo })
  await execute(tx, [reader, page.next])`
    update change_reader set cursor = $2, moved_at = now() where name = $1 and cursor <> $2`
  return { ...page, after: cursor }
}

/** The page that a reader reads next, unless others come meanwhile. Its cursor stays. */
export async function peekOn(db: Database, reader: string, limit: number): Promise<ChangePage> {
  const after = await readRow(db, onlyColumn(z.int()), [reader])`
    select coalesce((select cursor from change_reader where name = $1), last) as cursor from threat_change_counter`
  return readChanges(db, { after, limit })
}

/** Returns true if a reader has read the last change, and all published records that are stored. */
export async function isReadToEnd(db: Database, reader: string): Promise<boolean> {
  return affectsRows(db, [reader])`
    select from change_reader, threat_change_counter
     where name = $1 and cursor = last and not exists (
       select from window_reach where is_complete and newer_place is null and held_to > coalesce(known_to, '-infinity'))`
}

/** Returns since when a reader's cursor has not moved though a change waits; null if it moved after `before`. */
export async function findStalledSince(db: Database, reader: string, before: Date): Promise<Date | null> {
  return findRow(db, onlyColumn(z.coerce.date()), [reader, before])`
    select greatest(moved_at, at) as since
      from change_reader, lateral (select at from threat_change where number > cursor order by number limit 1) next
     where name = $1 and greatest(moved_at, at) <= $2`
}

/** A reader has read all changes of records that were published up to a time. */
export async function setKnownTo(tx: Database, reader: string, time: string): Promise<void> {
  await execute(tx, [reader, time])`
    update change_reader set known_to = greatest(known_to, $2) where name = $1 and known_to is distinct from $2`
}

/** Returns the time up to which all readers that record it know the published records, ISO 8601 UTC; null if none does. */
export async function readKnownTo(db: Database): Promise<string | null> {
  return readRow(db, onlyColumn(z.nullable(z.iso.datetime())))`
    select ${isoUtc('min(known_to)')} as at from change_reader`
}
