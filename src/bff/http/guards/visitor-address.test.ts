import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { createForwardingWarning, readRequestId, readVisitorAddress } from './visitor-address.ts'

const proxies = new BlockList()
proxies.addSubnet('10.0.0.0', 8, 'ipv4')
proxies.addSubnet('fd00::', 8, 'ipv6')

test.each([
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['fd00::1', '2001:db8::7', '2001:db8::7'],
  ['10.0.0.1', '127.0.0.1, 198.51.100.4, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.4, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['10.0.0.1', '10.0.0.3 ,10.0.0.2', '10.0.0.3'],
  ['10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9, 10.0.0.2, , 10.0.0.4', '10.0.0.4'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '64:ff9b::ffff:192.0.2.1', '64:ff9b::ffff:192.0.2.1'],
])('from %s with %j comes %s', (remoteAddress, forwarded, address) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
  expect(readVisitorAddress(request, proxies)).toBe(address)
  expect(readVisitorAddress(request, new BlockList())).toBe(remoteAddress.replace('::ffff:', ''))
})

describe('a request ID', () => {
  const idOf = (id: string | undefined, remoteAddress: string | undefined) =>
    readRequestId({ socket: { remoteAddress }, headers: { 'x-request-id': id } }, proxies)

  test.each(['4bf92f3577b34da6', 'a', 'x'.repeat(128), 'Root=1-67891233:a_b.c/d+e='])(
    'is accepted from a trusted proxy: %s',
    (id) => {
      expect(idOf(id, '10.0.0.1')).toBe(id)
      expect(idOf(id, '::ffff:10.0.0.1')).toBe(id)
      expect(idOf(id, 'fd00::1')).toBe(id)
    },
  )

  test.each(['', 'x'.repeat(129), 'two words', 'a"b', 'line\n', '\nline', undefined])(
    'is ignored if it is invalid: %j',
    (id) => {
      expect(idOf(id, '10.0.0.1')).toBeUndefined()
    },
  )

  test('is ignored from any other peer', () => {
    expect(idOf('4bf92f3577b34da6', '192.0.2.1')).toBeUndefined()
    expect(idOf('4bf92f3577b34da6', '2001:db8::7')).toBeUndefined()
    expect(idOf('4bf92f3577b34da6', undefined)).toBeUndefined()
  })
})

describe('a peer that speaks for others', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.4' }
  const watch = () => {
    const lines: string[] = []
    const warn = createForwardingWarning(
      createLog((line) => lines.push(line)),
      proxies,
    )
    return {
      see: (remoteAddress: string | undefined, headers: Record<string, string>) =>
        warn({ socket: { remoteAddress }, headers }),
      warnings: () => lines.map((line) => JSON.parse(line)),
    }
  }

  test.each([
    ['192.0.2.1', '192.0.2.1', '192.0.2.1/32'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1/32'],
    ['2001:db8::7', '2001:db8::7', '2001:db8::7/128'],
  ])('is warned of with what to set: %s', (remoteAddress, peer, network) => {
    const { see, warnings } = watch()
    see(remoteAddress, forwarded)
    expect(warnings()).toMatchObject([
      {
        event: 'proxy-not-trusted',
        peer,
        setting: 'TRUSTED_PROXIES',
        remedy: `All visitors behind ${peer} count as one. If it is your proxy, add ${network} to TRUSTED_PROXIES.`,
      },
    ])
  })

  test('is warned of once, whichever header it speaks by', () => {
    const { see, warnings } = watch()
    see('192.0.2.1', {})
    see('10.0.0.1', forwarded)
    see('fd00::1', { forwarded: 'for=198.51.100.4' })
    expect(warnings()).toEqual([])
    see('192.0.2.1', { forwarded: 'for=198.51.100.4' })
    expect(warnings()).toHaveLength(1)
    see('192.0.2.1', forwarded)
    see('192.0.2.2', forwarded)
    see(undefined, forwarded)
    expect(warnings().map(({ peer }) => peer)).toEqual(['192.0.2.1', '192.0.2.2', ''])
  })

  test('is not warned of once ten others were: visitors could fill the log', () => {
    const { see, warnings } = watch()
    for (let at = 1; at <= 12; at++) see(`192.0.2.${at}`, forwarded)
    expect(warnings()).toHaveLength(10)
  })
})
