import { expect, test } from 'vitest'
import { firstPositions } from './keyword.ts'

test('keywords that mean the same have the position of the first', () => {
  expect(firstPositions(['Acme', 'lock bit', 'ACMÉ', '"Lock-Bit"', '?', '?'])).toEqual([0, 1, 0, 1, 4, 5])
})
