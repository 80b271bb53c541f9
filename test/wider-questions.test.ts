import { expect, test } from 'vitest'
import { findLostAnswers, WIDER_CASES } from './support/wider/find-lost-answers.ts'
import { takeDatabase } from './support/with-database.ts'

/** Of each of two moments: half filled, and filled. */
const PAIRS = 5

test.each(WIDER_CASES)(
  'a wider question finds all that a narrower one finds: $vendorName, $planName plan',
  {
    timeout: 60_000,
  },
  async ({ vendor, plan, seed }) => {
    const lost = await findLostAnswers(await takeDatabase('bff'), { vendor, plan, seed, pairs: PAIRS })
    expect(lost.faults).toEqual([])
    // Pairs without answers would prove nothing.
    expect(lost.withAnswers).toBeGreaterThan(0)
    expect(lost.withMore).toBeGreaterThan(0)
  },
)
