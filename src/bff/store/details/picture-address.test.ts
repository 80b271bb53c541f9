import { expect, test } from 'vitest'
import { placePicture } from './picture-address.ts'

const UPSTREAM = 'http://127.0.0.1:4174'

test.each([
  ['https://cdn.example/a.png', false],
  ['https://cdn.example:8443/a.png?b=c', false],
  ['https://1.1.1.1/a.png', false],
  [`${UPSTREAM}/evidence/a.png`, true],
])('a picture may be requested at %s', (address, isUpstream) => {
  expect(placePicture(address, { upstreamOrigin: UPSTREAM, hosts: ['*'] })).toMatchObject({
    kind: 'fetched',
    address: { isUpstream },
  })
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
  expect(placePicture(address, { upstreamOrigin: UPSTREAM, hosts: ['*'] })).toEqual({ kind: 'refused' })
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
])('with a list of hosts, %s is requested: %s', (address, isRequested) => {
  const found = placePicture(address, { upstreamOrigin: UPSTREAM, hosts: HOSTS })
  expect(found.kind === 'fetched').toBe(isRequested)
})

test.each([
  [`${UPSTREAM}/evidence/a.png`, { kind: 'fetched', host: null }],
  ['https://CDN.example.:8443/a.png', { kind: 'notNamed', host: 'cdn.example' }],
  ['https://10.0.0.1/a.png', { kind: 'refused' }],
])('without a list, %s is %j: only the vendor is requested', (address, place) => {
  expect(placePicture(address, { upstreamOrigin: UPSTREAM, hosts: [] })).toMatchObject(place)
})
