import type { Database } from '#database/database.ts'

/** From here on nothing can be written into the audit record. */
export async function refuseRecords(database: Database): Promise<void> {
  await database.query('alter table audit_record add constraint refusing check (false) not valid')
}
