import fc from 'fast-check'
import { test } from 'vitest'
import { findFalseClaim, hostileVendors } from '#test/support/store/hostile-vendors.ts'
import { withDatabase } from '#test/support/with-database.ts'

const RUNS = 2_000
const SEED = 20_260_310

test(
  `claims nothing false about the lists of ${RUNS} vendors that break their reference`,
  { timeout: 3_600_000 },
  withDatabase('bff', async (database) => {
    await fc.assert(
      fc.asyncProperty(hostileVendors, async (vendor) => {
        const claim = await findFalseClaim(database, vendor)
        if (claim !== null) throw new Error(claim)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  }),
)
