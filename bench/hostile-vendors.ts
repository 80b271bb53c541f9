import fc from 'fast-check'
import { findFalseClaim, hostileVendors } from '#test/support/window/hostile-vendors.ts'
import { withBenchDatabase } from './bench-database.ts'
import { verdict } from './verdict.ts'

const RUNS = 2_000
const SEED = 20_260_310

/** Vendors that do not order, page, date or count as documented: what Lantern claims of their lists. */
export async function measureHostileVendors(): Promise<void> {
  console.log(`\n${RUNS.toLocaleString('en')} hostile vendors, seed ${SEED}`)
  await withBenchDatabase('bff', async (database) => {
    // What is lost with the machine is read again here.
    await database.query('alter database postgres set synchronous_commit = off')
    const startedMs = performance.now()
    const property = fc.asyncProperty(hostileVendors, async (vendor) => {
      const claim = await findFalseClaim(database, vendor)
      if (claim !== null) throw new Error(claim)
    })
    const { failed, numRuns, counterexample, errorInstance } = await fc.check(property, {
      numRuns: RUNS,
      seed: SEED,
    })
    const perSecond = numRuns / ((performance.now() - startedMs) / 1_000)
    console.log(`  false claims               ${failed ? 1 : 0}  ${verdict(!failed)}  ${errorInstance ?? ''}`)
    console.log(`  vendors                    ${numRuns}, ${perSecond.toFixed(1)} a second`)
    if (failed) console.log(`  ${JSON.stringify(counterexample)}`)
  })
}
