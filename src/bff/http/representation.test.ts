import { expect, test } from 'vitest'
import { bestCoding } from './representation.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br;q=0.000, gzip;q=0', 'identity'],
  ['GZIP', 'gzip'],
  ['brotli', 'identity'],
] as const)('a browser that accepts %j gets %s', (accepted, coding) => {
  expect(bestCoding(accepted)).toBe(coding)
})
