import * as z from 'zod/mini'
import { type RouteSet, routeSetSchema } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, readRows } from '#database/read-rows.ts'

/** A key belongs to one source and route set. */
export type KeyScope = { origin: string; set: RouteSet }

export const KEYS_CHANGED_CHANNEL = 'lantern_keys_changed'

const storedSchema = z.object({
  set: routeSetSchema,
  sealed: z.instanceof(Buffer),
  lastFour: z.nullable(z.string()),
  setAt: z.iso.datetime(),
  setBy: z.nullable(z.string()),
})
export type StoredKey = z.infer<typeof storedSchema>

/** The keys that admins have set for one origin. */
export async function readStoredKeys(db: Database, origin: string): Promise<StoredKey[]> {
  return readRows(db, storedSchema, [origin])`
    select route_set as "set", sealed, last_four as "lastFour",
           ${isoUtc('set_at')} as "setAt",
           email as "setBy"
      from api_key left join account on account.id = set_by
     where origin = $1`
}

export async function writeStoredKey(
  tx: Database,
  { origin, set }: KeyScope,
  { sealed, lastFour, setBy }: Pick<StoredKey, 'sealed' | 'lastFour' | 'setBy'>,
): Promise<void> {
  await execute(tx, [origin, set, sealed, lastFour, setBy])`
    insert into api_key (origin, route_set, sealed, last_four, set_by) values ($1, $2, $3, $4, $5)
    on conflict (origin, route_set) do update
       set sealed = excluded.sealed, last_four = excluded.last_four, set_by = excluded.set_by, set_at = now()`
  await notifyKeysChanged(tx, 'keys')
}

/** Seals the same key again, unless it was replaced meanwhile. No process needs a notice. */
export async function resealStoredKey(
  db: Database,
  { origin, set }: KeyScope,
  { from, to }: { from: Buffer; to: Buffer },
): Promise<void> {
  await execute(db, [origin, set, from, to])`
    update api_key set sealed = $4 where origin = $1 and route_set = $2 and sealed = $3`
}

/** False where there was none. */
export async function deleteStoredKey(tx: Database, { origin, set }: KeyScope): Promise<boolean> {
  const rowCount = await execute(tx, [origin, set])`delete from api_key where origin = $1 and route_set = $2`
  await notifyKeysChanged(tx, 'keys')
  return rowCount > 0
}

/** Notifies every process to read the keys again, or to forget what was read under another plan. */
export async function notifyKeysChanged(db: Database, what: 'keys' | 'plan'): Promise<void> {
  await db.query('select pg_notify($1, $2)', [KEYS_CHANGED_CHANNEL, what])
}
