import { expect, test } from 'vitest'
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts'

test('accepts loopback addresses, and no names or addresses that look similar', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopbackAddress)).not.toContain(false)
  expect(
    ['', '128.0.0.1', '::', '::ffff:128.0.0.1', '127.0.0.1.evil.example'].map(isLoopbackAddress),
  ).not.toContain(true)
  expect(['localhost', '127.0.0.1', '[::1]'].map(isLoopbackHost)).not.toContain(false)
  expect(['localhost.evil.example', 'evil.example', '0.0.0.0'].map(isLoopbackHost)).not.toContain(true)
})
