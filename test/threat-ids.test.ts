import { expect, test } from 'vitest'
import { withDatabase } from '#test/support/with-database.ts'

test(
  'ids of threats have one collation, so that every index serves every join',
  withDatabase('bff', async (database) => {
    const { rows } = await database.query(
      `select relname || '.' || attname as column
         from pg_attribute join pg_class on pg_class.oid = attrelid
        where relkind = 'r' and relnamespace = 'public'::regnamespace and attname in ('threat_id', 'one_id', 'other_id')
          and attcollation <> '"C"'::regcollation
        order by 1`,
    )
    // The ledger is joined with no stored threat.
    expect(rows).toEqual([{ column: 'delivery_match.threat_id' }])
  }),
)
