import fc from 'fast-check'
import { test } from 'vitest'
import { findFalseClaim, hostileVendors } from './support/window/hostile-vendors.ts'
import { withDatabase } from './support/with-database.ts'

const RUNS = 20
const SEED = 20_260_310

test(
  'whatever a vendor sends, it is counted, or said to be missing',
  { timeout: 120_000 },
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
