import { expect, test } from 'vitest'
import { findLostAnswers, WIDER_CASES } from '#test/support/wider/find-lost-answers.ts'
import { takeDatabase } from '#test/support/with-database.ts'

/** Of each of two moments, half filled and filled: 504 of all vendors and plans. */
const PAIRS = 21

test.each(WIDER_CASES)(
  'a wider question finds all that a narrower one finds: $vendorName, $planName plan',
  {
    timeout: 120_000,
  },
  async ({ vendor, plan, seed }) => {
    const lost = await findLostAnswers(await takeDatabase('bff'), { vendor, plan, seed, pairs: PAIRS })
    expect(lost.faults).toEqual([])
    // Pairs without answers would prove nothing.
    expect(lost.withAnswers).toBeGreaterThan(PAIRS / 2)
    expect(lost.withMore).toBeGreaterThan(PAIRS)
  },
)
