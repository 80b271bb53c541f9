import { expect, test } from 'vitest'
import { parsePictureAddress } from './picture-address.ts'
import { isPublicAddress } from './public-host.ts'

test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'localhost',
  '',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

const UPSTREAM = 'http://127.0.0.1:4174'

test.each([
  ['https://cdn.example/a.png', false],
  ['https://cdn.example:8443/a.png?b=c', false],
  ['https://1.1.1.1/a.png', false],
  [`${UPSTREAM}/evidence/a.png`, true],
])('a picture may be asked for at %s', (address, isUpstream) => {
  expect(parsePictureAddress(address, { upstreamOrigin: UPSTREAM })).toMatchObject({ isUpstream })
})

test.each([
  'http://cdn.example/a.png',
  'http://127.0.0.1:4175/a.png',
  'https://127.0.0.1:4174/a.png',
  'https://user:pass@cdn.example/a.png',
  'http://user@127.0.0.1:4174/a.png',
  'https://abcdef.onion/a.png',
  'https://abcdef.ONION./a.png',
  'https://a.b.i2p/a.png',
  'https://localhost/a.png',
  'https://printer.local/a.png',
  'https://metadata.google.internal/a.png',
  'https://10.0.0.1/a.png',
  'https://0x7f.1/a.png',
  'https://2130706433/a.png',
  'https://[::1]/a.png',
  'https://[::ffff:10.0.0.1]/a.png',
  'ftp://cdn.example/a.png',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  '//cdn.example/a.png',
  'cdn.example/a.png',
  '',
  `https://cdn.example/${'a'.repeat(2048)}`,
])('and not at %s', (address) => {
  expect(parsePictureAddress(address, { upstreamOrigin: UPSTREAM })).toBeNull()
})

const HOSTS = ['cdn.example', '*.evidence.example', '10.0.0.1', 'localhost']

test.each([
  ['https://cdn.example/a.png', true],
  ['https://CDN.example.:8443/a.png', true],
  ['https://a.b.evidence.example/a.png', true],
  [`${UPSTREAM}/evidence/a.png`, true],
  ['https://evidence.example/a.png', false],
  ['https://evilevidence.example/a.png', false],
  ['https://a.cdn.example/a.png', false],
  ['https://cdn.example.evil.example/a.png', false],
  ['https://1.1.1.1/a.png', false],
  ['http://cdn.example/a.png', false],
  ['https://10.0.0.1/a.png', false],
  ['https://localhost/a.png', false],
])('with a list of hosts, %s is asked: %s', (address, isAsked) => {
  const found = parsePictureAddress(address, { upstreamOrigin: UPSTREAM, hosts: HOSTS })
  expect(found !== null).toBe(isAsked)
})
