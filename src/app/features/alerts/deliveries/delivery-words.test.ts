import { expect, test } from 'vitest'
import { kindInWords } from './delivery-words.ts'

test('a digest names its threats, and one of Shift has none', () => {
  expect(kindInWords({ kind: 'digest', threatCount: 0 })).toBe('Digest')
  expect(kindInWords({ kind: 'digest', threatCount: 2 })).toBe('Digest, 2 threats')
})
