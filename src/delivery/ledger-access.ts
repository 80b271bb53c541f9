import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'

/** Returns the current time for the ledger. */
export type ReadNow = (db: Database) => Promise<Date>

const momentSchema = z.object({ ms: z.number() })

/** Uses the database's clock, because the clocks of machines that share a ledger may differ. */
export const readDatabaseTime: ReadNow = async (db) => {
  const row = await readRow(db, momentSchema)`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return new Date(row.ms)
}

/** Every function that writes to the ledger needs these. */
export type LedgerAccess = {
  /** Destinations are sealed with this secret. */
  readonly secret: string
  /** The default is the database's time. */
  readonly readNow?: ReadNow
}

export function readLedgerTime(db: Database, { readNow = readDatabaseTime }: LedgerAccess): Promise<Date> {
  return readNow(db)
}

/** PostgreSQL notifies workers on this channel when something may be due. */
export const DELIVERY_CHANNEL = 'lantern_delivery_due'

/** Wakes the workers of all processes when the transaction commits. */
export async function wakeWorkers(tx: Database): Promise<void> {
  await tx.query(`select pg_notify('${DELIVERY_CHANNEL}', '')`)
}

/** Returns JSON that PostgreSQL accepts for any untrusted text: without NUL characters and lone surrogates. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? toStorable(part) : part))
}

export function toStorable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
