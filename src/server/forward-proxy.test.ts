import { expect, test } from 'vitest'
import { isProxied } from './forward-proxy.ts'

const to = (address: string, ...except: string[]) =>
  isProxied({ origin: 'http://proxy.example:3128', authorization: null, except }, new URL(address))

test.each([
  ['https://api.vendor.example', []],
  ['https://api.vendor.example', ['other.example', 'endor.example', 'i.vendor.example', '10.0.0.0/8']],
  ['https://api.vendor.example', ['api.vendor.example:8443']],
  ['https://api.vendor.example:8443', ['api.vendor.example:443']],
  ['https://vendor.example', ['api.vendor.example']],
  ['https://[2001:db8::1]', ['2001:db8::2']],
])('%s goes through the proxy, with exceptions %j', (address, except) => {
  expect(to(address, ...except)).toBe(true)
})

test.each([
  ['https://api.vendor.example', ['*']],
  ['https://api.vendor.example', ['api.vendor.example']],
  ['https://api.vendor.example.', ['api.vendor.example']],
  ['https://api.vendor.example', ['.vendor.example']],
  ['https://api.vendor.example', ['*.vendor.example']],
  ['https://api.vendor.example', ['other.example', 'vendor.example']],
  ['https://api.vendor.example', ['api.vendor.example:443']],
  ['https://api.vendor.example:8443', ['vendor.example:8443']],
  ['https://[2001:db8::1]', ['2001:db8::1']],
  ['https://[2001:db8::1]:8443', ['[2001:db8::1]:8443']],
  ['https://10.0.0.7', ['10.0.0.7']],
  ['http://localhost:4174', []],
  ['https://localhost:4174', []],
  ['https://127.0.0.1', []],
  ['https://[::1]:4174', []],
])('%s goes without it, with exceptions %j', (address, except) => {
  expect(to(address, ...except)).toBe(false)
})
