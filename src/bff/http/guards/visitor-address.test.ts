import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { serveBff } from '#bff/start.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { findFreePort, sendHttp } from '#test/support/send-http.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { readVisitorAddress } from './visitor-address.ts'

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
])('from %s with %j comes %s', (remoteAddress, forwarded, address) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }
  expect(readVisitorAddress(request, proxies)).toBe(address)
  expect(readVisitorAddress(request, new BlockList())).toBe(remoteAddress.replace('::ffff:', ''))
})

const addressesSchema = z.array(z.object({ address: z.string() }))

test(
  'behind a trusted proxy visitors are slowed one by one, elsewhere their word counts for nothing',
  withDatabase('bff', async (database) => {
    const loopback = new BlockList()
    loopback.addSubnet('127.0.0.0', 8, 'ipv4')
    for (const trustedProxies of [loopback, undefined]) {
      const port = await findFreePort()
      const bff = await serveBff({
        database,
        host: '127.0.0.1',
        port,
        publicUrl: 'https://lantern.example',
        ...(trustedProxies && { trustedProxies }),
        admin: ADMIN,
        staticFolder: '/nonexistent',
        log: { info() {}, warn() {}, error() {} },
        routes: [],
      })
      const signIn = async (email: string, forwardedFor: string) => {
        const headers = {
          host: 'lantern.example',
          'x-lantern': '1',
          'content-type': 'application/json',
          'x-forwarded-for': `127.0.0.1, ${forwardedFor}`,
        }
        const body = JSON.stringify({ ...ADMIN, email })
        return (await sendHttp(`http://127.0.0.1:${port}/bff/sign-in`, { method: 'POST', headers, body }))
          .status
      }
      await database.query('delete from sign_in_attempt')
      for (let index = 0; index < 6; index += 1) await signIn(`user${index}@example.com`, '203.0.113.9')

      expect(await signIn('user@example.com', '203.0.113.9')).toBe(429)
      expect(await signIn(ADMIN.email, '198.51.100.4')).toBe(trustedProxies ? 200 : 429)
      await bff.close()
    }
    const { rows } = await database.query('select distinct address from audit_event order by address')
    expect(addressesSchema.parse(rows).map(({ address }) => address)).toEqual([
      '127.0.0.1',
      '198.51.100.4',
      '203.0.113.9',
    ])
  }),
)
