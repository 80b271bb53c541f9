import { expect, test } from 'vitest'
import { readDomain } from './list-domain.ts'

test.each([
  ['okapi.example', 'okapi.example'],
  ['  Okapi.Example. ', 'okapi.example'],
  ['https://www.okapi.example:8443/about?x=1#y', 'www.okapi.example'],
  ['okapi.example/path', 'okapi.example'],
  ['okapi.example:443', 'okapi.example'],
  ['sales@okapi.example', 'okapi.example'],
  ['ftp://okapi.example', 'okapi.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['notfacebook.com', 'notfacebook.com'],
])('reads the domain of %s', (text, domain) => {
  expect(readDomain(text)).toEqual({ domain })
})

test.each([
  ['192.0.2.7', 'IP address'],
  ['http://192.0.2.7/x', 'IP address'],
  ['[2001:db8::1]', 'IP address'],
  ['2130706433', 'IP address'],
  ['abcdefghij234567.onion', 'onion'],
  ['okapi', 'not a domain'],
  ['', 'not a domain'],
  ['okapi example', 'not a domain'],
  ['-okapi.example', 'not a domain'],
  [`${'a'.repeat(64)}.example`, 'not a domain'],
  ['javascript:alert(1)', 'not a domain'],
  ['<b>.example', 'not a domain'],
  ['https://www.facebook.com/okapi', 'Many organisations'],
  ['okapi@gmail.com', 'Many organisations'],
])('reports why %s is not a domain', (text, fault) => {
  expect(readDomain(text)).toEqual({ fault: expect.stringContaining(fault) })
})
