import fc from 'fast-check'
import { test } from 'vitest'
import { findFalseClaim, type HostileVendor, hostileVendors } from './support/store/hostile-vendors.ts'
import { withDatabase } from './support/with-database.ts'

const RUNS = 20
const SEED = 20_260_310

/** A list that was read whole, of which nothing is stored: its only record is too old. */
const OLD_RECORD_ALONE: HostileVendor = {
  set: 'v1',
  pageMax: 6,
  total: 'right',
  isBoundApplied: false,
  further: 'refused',
  contentType: 'application/json',
  records: [
    {
      id: 'posts/2026/leak',
      time: Date.parse('2026-02-07T12:00:00Z'),
      record: {
        id: 'posts/2026/leak',
        title: 'A record',
        category: 'Ransomware',
        published_at: '2026-02-07T12:00:00Z',
      },
    },
  ],
}

test(
  'with any answers of a vendor, each record is counted or reported as missing',
  { timeout: 120_000 },
  withDatabase('bff', async (database) => {
    await fc.assert(
      fc.asyncProperty(hostileVendors, async (vendor) => {
        const claim = await findFalseClaim(database, vendor)
        if (claim !== null) throw new Error(claim)
      }),
      { numRuns: RUNS, seed: SEED, examples: [[OLD_RECORD_ALONE]] },
    )
  }),
)
