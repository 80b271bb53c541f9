import * as z from 'zod/mini'
import { type DueTimes, dueTimesSchema } from '#contract/bff/due-time.ts'
import { severitySchema } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'

const rowSchema = z.object({ severity: severitySchema, hours: z.nullable(z.int()) })

export async function readDueTimes(db: Database): Promise<DueTimes> {
  const rows = await readRows(db, rowSchema)`select severity, hours from due_time`
  return dueTimesSchema.parse(Object.fromEntries(rows.map(({ severity, hours }) => [severity, hours])))
}

/** Reads and locks the due times until the transaction ends. */
export async function lockDueTimes(tx: Database): Promise<DueTimes> {
  await tx.query('select from due_time for update')
  return readDueTimes(tx)
}

export async function writeDueTimes(tx: Database, times: DueTimes): Promise<void> {
  await execute(tx, [JSON.stringify(times)])`
    update due_time set hours = given.value::int from jsonb_each_text($1::jsonb) as given where severity = given.key`
}
