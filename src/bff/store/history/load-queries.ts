import * as z from 'zod/mini'
import { type Cursor, parseCursor } from '#bff/store/sync/crawl-cursor.ts'
import { type GapReason, gapReasonSchema } from '#contract/bff/coverage.ts'
import { loadStateSchema } from '#contract/bff/history-load.ts'
import { type RouteSet, routeSetSchema } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, readRow, readRows } from '#database/read-rows.ts'

const rowSchema = z.object({
  id: z.string(),
  set: routeSetSchema,
  /** ISO 8601 UTC: from its first moment on, before its end. */
  from: z.string(),
  to: z.string(),
  isBackground: z.boolean(),
  requestedBy: z.nullable(z.string()),
  requestedByName: z.nullable(z.string()),
  requestedAt: z.string(),
  state: loadStateSchema,
  cursor: z.nullable(z.string()),
  pages: z.int(),
  total: z.nullable(z.int()),
  records: z.int(),
  added: z.int(),
  why: z.nullable(gapReasonSchema),
  reason: z.nullable(z.string()),
  updatedAt: z.string(),
})
/** A time of the past that is read, and how far that has come. */
export type HistoryLoad = Omit<z.infer<typeof rowSchema>, 'cursor'> & { cursor: Cursor | null }

const SELECT = `
  select load.id::text as id, route_set as set, ${isoUtc('from_at')} as from, ${isoUtc('to_at')} as to,
         is_background as "isBackground", requested_by as "requestedBy", account.name as "requestedByName",
         ${isoUtc('requested_at')} as "requestedAt", load.state, cursor, pages, total, records, added, why, reason,
         ${isoUtc('updated_at')} as "updatedAt"
    from history_load load left join account on account.id = requested_by`

const loadSchema = z.pipe(
  rowSchema,
  z.transform((row): HistoryLoad => ({ ...row, cursor: parseCursor(row.cursor, row.set) })),
)

/** Loads that wait or are under way: those of people first, in the order of their requests. */
export async function listOpenLoads(db: Database): Promise<HistoryLoad[]> {
  return readRows(db, loadSchema)`
    ${SELECT} where load.state in ('waiting', 'reading') order by is_background, requested_at, load.id`
}

/** Lists the loads of people that are in progress, or ended after a time. */
export async function listRequestedLoads(db: Database, endedAfter: string): Promise<HistoryLoad[]> {
  return readRows(db, loadSchema, [endedAfter])`
    ${SELECT} where not is_background and (load.state in ('waiting', 'reading') or updated_at > $1)
     order by requested_at desc, load.id desc limit 50`
}

export async function findLoad(db: Database, id: string): Promise<HistoryLoad | null> {
  return findRow(db, loadSchema, [id])`${SELECT} where load.id::text = $1`
}

/** Returns when a time was last tried in the background and could not be read whole, by its first moment. */
export async function listFailedMonths(
  db: Database,
): Promise<{ from: number; to: number; at: number; why: GapReason }[]> {
  const failed = await readRows(db, loadSchema)`
    ${SELECT} where load.state = 'failed' and is_background order by to_at desc`
  return failed.flatMap(({ from, to, updatedAt, why }) =>
    why ? { from: Date.parse(from), to: Date.parse(to), at: Date.parse(updatedAt), why } : [],
  )
}

export type NewLoad = {
  set: RouteSet
  from: string
  to: string
  isBackground: boolean
  requestedBy: string | null
  at: string
}

export async function insertLoad(db: Database, load: NewLoad): Promise<HistoryLoad> {
  const { set, from, to, isBackground, requestedBy, at } = load
  const row = await readRow(db, z.object({ id: z.string() }), [set, from, to, isBackground, requestedBy, at])`
    insert into history_load (route_set, from_at, to_at, is_background, requested_by, requested_at, state, updated_at)
    values ($1, $2, $3, $4, $5, $6, 'waiting', $6) returning id::text as id`
  const inserted = await findLoad(db, row.id)
  if (!inserted) throw new Error('The load that was inserted is not there')
  return inserted
}

/** Adds a page to a load. Returns false if the load was stopped. */
export async function advanceLoad(
  db: Database,
  { id }: HistoryLoad,
  page: { cursor: Cursor | null; total: number | null; records: number; added: number; at: string },
): Promise<boolean> {
  const values = [
    id,
    page.cursor && JSON.stringify(page.cursor),
    page.total,
    page.records,
    page.added,
    page.at,
  ]
  return affectsRows(db, values)`
    update history_load
       set state = 'reading', cursor = $2, pages = pages + 1, total = $3, records = records + $4, added = added + $5,
           reason = null, updated_at = $6
     where id::text = $1 and state in ('waiting', 'reading')`
}

export async function endLoad(
  db: Database,
  id: string,
  end: { state: 'done' | 'stopped' | 'failed'; why?: GapReason; reason?: string; at: string },
): Promise<boolean> {
  const rowCount = await execute(db, [id, end.state, end.why ?? null, end.reason ?? null, end.at])`
    update history_load set state = $2, why = $3, reason = $4, updated_at = $5, cursor = null
     where id::text = $1 and state in ('waiting', 'reading')`
  if (rowCount > 0) await db.query('delete from history_listed where load::text = $1', [id])
  return rowCount > 0
}

/** A load that waits is under way now; false where it was already. */
export async function beginLoad(db: Database, id: string): Promise<boolean> {
  return affectsRows(db, [id])`
    update history_load set state = 'reading' where id::text = $1 and state = 'waiting'`
}

/** Says why a load waits; null once it goes on. */
export async function writeLoadReason(db: Database, id: string, reason: string | null): Promise<boolean> {
  return affectsRows(db, [id, reason])`
    update history_load set reason = $2 where id::text = $1 and reason is distinct from $2`
}

/** A time that was read whole has failed no more. */
export async function forgetFailures(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await execute(db, [from, to])`
    update history_load set why = null where state = 'failed' and from_at < $2 and to_at > $1`
}

/** Returns the time down to which the live sync should read at once, epoch milliseconds. */
export async function wantedFrom(db: Database): Promise<number | null> {
  const { from } = await readRow(db, z.object({ from: z.nullable(z.string()) }))`
    select ${isoUtc('min(from_at)')} as from from history_load
     where route_set = 'v1' and state in ('waiting', 'reading')`
  return from === null ? null : Date.parse(from)
}

/** Ids of a page that a load has met before; those that it had not are added. */
export async function meetIds(db: Database, { id }: HistoryLoad, ids: readonly string[]): Promise<void> {
  await execute(db, [id, ids])`
    insert into history_listed (load, id) select $1::bigint, unnest($2::text[]) on conflict do nothing`
}

export async function findMet(db: Database, load: HistoryLoad, ids: readonly string[]): Promise<Set<string>> {
  const rows = await readRows(db, z.object({ id: z.string() }), [load.id, ids])`
    select id from history_listed where load::text = $1 and id = any($2)`
  return new Set(rows.map(({ id }) => id))
}
