import { expect, test } from 'vitest'
import { withDatabase } from '../../test/support/with-database.ts'

test(
  'gives counts as numbers and times as text',
  withDatabase('bff', async (database) => {
    const { rows } = await database.query(
      `select count(*) as count, date '2026-01-02' as day, timestamptz '2026-01-02T03:04:05Z' as instant from generate_series(1, 3)`,
    )
    expect(rows).toEqual([{ count: 3, day: '2026-01-02', instant: '2026-01-02 03:04:05+00' }])
  }),
)

test(
  'folds case in any script',
  withDatabase('bff', async (database) => {
    const { rows } = await database.query(
      `select lower('ÀÉÎ ЖУК ΣΆΒ') as lower, to_tsvector('simple', 'Ärger Жук') @@ to_tsquery('simple', 'ärger & жук') as found`,
    )
    expect(rows).toEqual([{ lower: 'àéî жук σάβ', found: true }])
  }),
)
