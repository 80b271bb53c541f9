import * as z from 'zod/mini'
import { dataVersionSchema } from '#contract/upstream/data-version.ts'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'

const heldDataSchema = z.object({ version: dataVersionSchema, isDemo: z.boolean() })
export type HeldData = z.infer<typeof heldDataSchema>

/** Reads the version of the stored records, and whether any record is generated. */
export async function readHeldData(db: Database): Promise<HeldData> {
  return readRow(db, heldDataSchema)`
    select json_build_object('store', store, 'added', added, 'removed', removed) as version,
           exists(select from threat where is_demo) as "isDemo"
      from data_version`
}

/** Call it last in the transaction that changes records: until that ends, whoever else changes some waits. */
export async function raiseDataVersion(
  tx: Database,
  { added = 0, removed = 0 }: { added?: number; removed?: number },
): Promise<void> {
  if (added === 0 && removed === 0) return
  await tx.query('update data_version set added = added + $1, removed = removed + $2', [added, removed])
}
