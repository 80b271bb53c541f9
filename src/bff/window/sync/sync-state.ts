import * as z from 'zod/mini'
import { routeSetSchema } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

const timeSchema = z.iso.datetime()

/** How far the reader has come, and where it goes on. */
export const syncStateSchema = z.object({
  /** Names the vendor's address and the keys. */
  source: z.string(),
  set: routeSetSchema,
  /** Held without a gap. */
  heldFrom: timeSchema,
  heldTo: timeSchema,
  /** The lower bound that the vendor was asked for; null where the plan allows none so far back. */
  since: z.nullable(timeSchema),
  isComplete: z.boolean(),
  isRedacted: z.boolean(),
  /** Where the walk to older records goes on. */
  olderCursor: z.nullable(z.string()),
  /** Where the walk from the newest record back to what is held goes on, when it began, and how far it goes. */
  newerCursor: z.nullable(z.string()),
  newerStartedAt: z.nullable(timeSchema),
  newerUntil: z.nullable(timeSchema),
  reconciledAt: timeSchema,
  lastReadAt: timeSchema,
  nextReadAt: timeSchema,
  /** The last change of the records. */
  revision: z.int(),
})
export type SyncState = z.infer<typeof syncStateSchema>

const TIMES = {
  heldFrom: 'held_from',
  heldTo: 'held_to',
  since: 'since',
  newerStartedAt: 'newer_started_at',
  newerUntil: 'newer_until',
  reconciledAt: 'reconciled_at',
  lastReadAt: 'last_read_at',
  nextReadAt: 'next_read_at',
} as const
const OTHERS = {
  source: 'source',
  set: 'route_set',
  isComplete: 'is_complete',
  isRedacted: 'is_redacted',
  olderCursor: 'older_place',
  newerCursor: 'newer_place',
  revision: 'revision',
} as const
const COLUMNS = { ...TIMES, ...OTHERS }

const SELECTED = [
  ...Object.entries(TIMES).map(([name, column]) => `${isoUtc(column)} as "${name}"`),
  ...Object.entries(OTHERS).map(([name, column]) => `${column} as "${name}"`),
].join(', ')

/** Null while nothing is held. */
export async function readSyncState(db: Database): Promise<SyncState | null> {
  const { rows } = await db.query(`select ${SELECTED} from window_reach`)
  return rows.length === 0 ? null : syncStateSchema.parse(rows[0])
}

export async function writeSyncState(db: Database, sync: SyncState): Promise<void> {
  const names = z.keyof(syncStateSchema).options
  const columns = names.map((name) => COLUMNS[name])
  await db.query(
    `insert into window_reach (${columns.join(', ')})
     values (${names.map((_, at) => `$${at + 1}`).join(', ')})
     on conflict (is_single) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    names.map((name) => sync[name]),
  )
}

/** Why the window of a source is not kept up; null while all is well. */
export async function readTrouble(db: Database, source: string): Promise<string | null> {
  const { rows } = await db.query('select reason from window_trouble where source = $1', [source])
  return rows.map((row) => z.object({ reason: z.string() }).parse(row)).at(0)?.reason ?? null
}

export async function writeTrouble(db: Database, source: string, reason: string | null): Promise<void> {
  if (reason === null) await db.query('delete from window_trouble')
  else
    await db.query(
      `insert into window_trouble (source, reason) values ($1, $2)
       on conflict (is_single) do update set source = excluded.source, reason = excluded.reason`,
      [source, reason],
    )
}
