import { expect, test } from 'vitest'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { Database } from '#database/database.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { readClaimCases } from './claim-cases.ts'

/** More than one batch of cases. */
const PAIRS_COUNT = 5_500
const NOW = '2026-06-01T00:00:00.000Z'

test('after a comparison of all claims, what has changed is the same as all that is there', async () => {
  const database = await takeDatabase('bff')
  const ids = Array.from({ length: 2 * PAIRS_COUNT }, (_, at) => `claim-${at}`)
  await storeThreats(
    database,
    placeThreats(
      ids.map((id) => makeThreat(id, NOW)),
      NOW,
    ),
  )
  await database.query(`insert into victim_case (id) overriding system value select generate_series(0, $1)`, [
    2 * PAIRS_COUNT,
  ])
  await database.query(
    `insert into case_claim (threat_id, case_id, own_id, is_compared)
     select 'claim-' || at, at + 1, at + 1, true from generate_series(0, $1 - 1) as at`,
    [2 * PAIRS_COUNT],
  )
  const alone = await readClaimCases(database, null)
  expect(alone.byId.size).toBe(0)

  await place(database, 'own_id - own_id % 2')
  const paired = await readClaimCases(database, alone)
  expect(paired.byId.size).toBe(2 * PAIRS_COUNT - 2)
  expect(paired.byId).toEqual((await readClaimCases(database, null)).byId)

  await place(database, 'own_id')
  expect((await readClaimCases(database, paired)).byId.size).toBe(0)
})

/** Gives each claim the case of this number. */
async function place(database: Database, caseId: string): Promise<void> {
  await database.query(`update case_claim set case_id = ${caseId}, revision = nextval('case_revision')`)
}
