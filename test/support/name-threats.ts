import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import type { Database } from '#database/database.ts'

/** A list of the vendor's has named these threats: people may act on them. */
export async function nameThreats(database: Database, ...ids: string[]): Promise<void> {
  await database.query(
    `insert into listed_threat (source, id, threat, listed_at)
     select 'a source', id, '{}', now() from unnest($1::text[]) as named(id)`,
    [ids],
  )
}

/** For routes whose threats are all stored. */
export const vendorIsNotCalled: ReadThreat = (id) => {
  throw new Error(`${id} is requested from the vendor`)
}
