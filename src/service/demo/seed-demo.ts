import type { Database } from '#database/database.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { generateDemo } from './generate-demo.ts'

const BATCH_COUNT = 1000

/** Fills the service with generated records, all or none, and answers how many were not there yet. */
export async function seedDemo(db: Database, { now }: { now: Date }): Promise<number> {
  const records = generateDemo(now)
  return db.transaction(async (tx) => {
    let added = 0
    for (let start = 0; start < records.length; start += BATCH_COUNT) {
      added += await insertThreats(tx, records.slice(start, start + BATCH_COUNT))
    }
    return added
  })
}
