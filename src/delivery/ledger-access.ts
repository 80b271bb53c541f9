import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'

/** The time that a ledger goes by. */
export type ReadNow = (db: Database) => Promise<Date>

const momentSchema = z.object({ ms: z.number() })

/** The database's: the machines that share a ledger may have others. */
export const readDatabaseTime: ReadNow = async (db) => {
  const row = await readRow(db, momentSchema)`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  return new Date(row.ms)
}

/** Code that writes into the ledger passes these. */
export type LedgerAccess = {
  /** Destinations are sealed by it. */
  readonly secret: string
  /** The database's time unless given. */
  readonly readNow?: ReadNow
}

export function readLedgerTime(db: Database, { readNow = readDatabaseTime }: LedgerAccess): Promise<Date> {
  return readNow(db)
}

/** A notice on it says that something may be due. */
export const DELIVERY_CHANNEL = 'lantern_delivery_due'

/** Wakes the workers of all processes, once the transaction is committed. */
export async function wakeWorkers(tx: Database): Promise<void> {
  await tx.query(`select pg_notify('${DELIVERY_CHANNEL}', '')`)
}

/** JSON that PostgreSQL takes, whatever a vendor or a destination says: no NUL, no half of a character. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? toStorable(part) : part))
}

export function toStorable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
