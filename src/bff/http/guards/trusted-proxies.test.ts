import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createLog } from '#bff/http/log.ts'
import { serveBff } from '#bff/serve.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { sendHttp } from '#test/support/send-http.ts'
import { withDatabase } from '#test/support/with-database.ts'

const addressesSchema = z.array(z.object({ address: z.string() }))

test(
  'behind a trusted proxy visitors are slowed one by one, elsewhere their word counts for nothing',
  withDatabase('bff', async (database) => {
    const loopback = new BlockList()
    loopback.addSubnet('127.0.0.0', 8, 'ipv4')
    for (const trustedProxies of [loopback, undefined]) {
      const port = await findFreePort()
      const bff = await serveBff({
        answers: new AnswerCache(),
        database,
        host: '127.0.0.1',
        port,
        publicUrl: 'https://lantern.example',
        ...(trustedProxies && { trustedProxies }),
        admin: ADMIN,
        staticFolder: '/nonexistent',
        secret: 'secret-of-the-tests-and-long-enough',
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

test(
  'warns of an untrusted proxy once, with its address and the setting',
  withDatabase('bff', async (database) => {
    const loopback = new BlockList()
    loopback.addSubnet('127.0.0.0', 8, 'ipv4')
    for (const trustedProxies of [loopback, undefined]) {
      const port = await findFreePort()
      const logged: string[] = []
      const bff = await serveBff({
        answers: new AnswerCache(),
        database,
        port,
        host: '127.0.0.1',
        publicUrl: 'https://lantern.example',
        ...(trustedProxies && { trustedProxies }),
        admin: ADMIN,
        staticFolder: '/nonexistent',
        secret: 'secret-of-the-tests-and-long-enough',
        log: createLog((line) => logged.push(line)),
        routes: [],
      })
      const ask = (headers: Record<string, string>) =>
        sendHttp(`http://127.0.0.1:${port}/bff/session`, {
          headers: { host: 'lantern.example', 'x-lantern': '1', ...headers },
        })
      await ask({})
      expect(logged).toEqual([])
      await ask({ forwarded: 'for=198.51.100.4' })
      await ask({ 'x-forwarded-for': '198.51.100.4' })
      await bff.close()
      const warnings = logged.filter((line) => line.includes('proxy-not-trusted'))
      expect(warnings).toHaveLength(trustedProxies ? 0 : 1)
      if (!trustedProxies) {
        expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ peer: '127.0.0.1', setting: 'TRUSTED_PROXIES' })
        expect(warnings[0]).toContain('add 127.0.0.1/32 to TRUSTED_PROXIES')
        expect(warnings[0]).not.toContain('198.51.100.4')
      }
    }
  }),
)
