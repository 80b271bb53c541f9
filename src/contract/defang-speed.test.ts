import { expect, test } from 'vitest'
import { defangProse } from './defang.ts'

// Work that grows with the square of the length takes minutes here, which the test's timeout ends.
test.for(['.', '@', '/', ':', 'a@', '://', ' .', '@.', 'a', 'ä', 'a.', '-', 'ä.'])(
  'reads a flood of “%s” in linear time',
  { timeout: 60_000 },
  (flood) => {
    expect(defangProse(flood.repeat(500_000)).length).toBeGreaterThanOrEqual(500_000)
  },
)
