import { expect, test } from 'vitest'
import { createService } from '#service/app.ts'
import { createTestService, readError } from '#test/support/service/create-test-service.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createKey } from './create-key.ts'
import { createToken } from './key-token.ts'
import { revokeKey, rotateKey } from './replace-key.ts'

const REFUSAL = 'Missing, invalid or expired API key'
const LATER = new Date(Date.now() + 40 * 86_400_000).toISOString()

test(
  'answers an absent, malformed, unknown, revoked or expired key with one and the same 401',
  withDatabase('service', async (database) => {
    const { ask, token, setNow } = await createTestService(database, { v1Plan: 'trial' })
    const revoked = await createKey(database, { account: 'acme', name: 'revoked', v1Plan: 'defend' })
    await revokeKey(database, revoked.id)

    const answers = [
      await ask('/api/v1/threats', { token: null }),
      await ask('/api/v1/threats', { token: 'nonsense' }),
      await ask('/api/v1/threats', { token: createToken() }),
      await ask('/api/v1/threats', { token: revoked.token }),
      await ask('/api/v1/threats', { token: null, headers: { authorization: `Basic ${token}` } }),
      await ask('/api/v1/threats', { token: null, headers: { 'x-api-key': token } }),
      await ask(`/api/v1/threats?api_key=${token}`, { token: null }),
    ]
    setNow(LATER)
    answers.push(await ask('/api/v1/threats'))

    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.headers.get('x-ratelimit-limit')).toBe('0')
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
      expect(answer.headers.get('x-ratelimit-reset')).toBe('0')
      expect(await readError(answer)).toBe(REFUSAL)
    }
  }),
)

test(
  'requires a key before any other answer, also on unknown routes',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database)
    for (const path of ['/api', '/api/feed', '/api/v1', '/api/v1/threats/x', '/api/nothing', '/api/%ff']) {
      expect((await ask(path, { token: null })).status, path).toBe(401)
    }
    expect((await ask('/api/feed', { token: null, method: 'DELETE' })).status).toBe(401)
  }),
)

test(
  'takes the scheme in any letter case',
  withDatabase('service', async (database) => {
    const { ask, token } = await createTestService(database, { v1Plan: 'defend' })
    const answer = await ask('/api/v1/threats', {
      token: null,
      headers: { authorization: `bearer ${token}` },
    })
    expect(answer.status).toBe(200)
  }),
)

test(
  'refuses a token with a wrong checksum without asking the database',
  withDatabase('service', async (database) => {
    const statements: string[] = []
    const app = createService({
      database: {
        ...database,
        query: (text, values) => {
          statements.push(text)
          return database.query(text, values)
        },
      },
      secret: 'secret',
      publicUrl: 'https://service.example',
    })
    const ask = (token: string) => app.request('/api/feed', { headers: { authorization: `Bearer ${token}` } })

    await ask(`${createToken().slice(0, -1)}!`)
    await ask(`ltn_${'a'.repeat(49)}`)
    expect(statements.filter((text) => text.includes('api_key'))).toEqual([])
    await ask(createToken())
    expect(statements.filter((text) => text.includes('api_key'))).toHaveLength(1)
  }),
)

test(
  'keeps both keys of a rotation valid until the overlap ends',
  withDatabase('service', async (database) => {
    const { ask, keyId, token, setNow } = await createTestService(database, { v1Plan: 'defend' })
    const fresh = await rotateKey(database, keyId, { overlapHours: 1 })
    const statuses = async () => [
      (await ask('/api/v1/threats', { token })).status,
      (await ask('/api/v1/threats', { token: fresh?.token ?? '' })).status,
    ]

    setNow(new Date(Date.now() + 59 * 60_000).toISOString())
    expect(await statuses()).toEqual([200, 200])
    setNow(new Date(Date.now() + 61 * 60_000).toISOString())
    expect(await statuses()).toEqual([401, 200])
  }),
)

test(
  'replaces a key once, and no key that has ended',
  withDatabase('service', async (database) => {
    const { keyId } = await createTestService(database)
    expect(await rotateKey(database, keyId, { overlapHours: 1 })).not.toBeNull()
    expect(await rotateKey(database, keyId, { overlapHours: 1 })).toBeNull()
    expect(await revokeKey(database, keyId)).toBe(true)
    expect(await revokeKey(database, keyId)).toBe(false)
    expect(await rotateKey(database, 'key_nothing', { overlapHours: 1 })).toBeNull()
  }),
)

test(
  'keeps no token in the database',
  withDatabase('service', async (database) => {
    const { token } = await createTestService(database)
    const { rows } = await database.query('select api_key::text from api_key')
    const stored = JSON.stringify(rows)
    expect(stored).toContain('key_')
    expect(stored).not.toContain(token.slice(4, 20))
    expect(stored).not.toContain(Buffer.from(token).toString('hex'))
  }),
)

const WITHOUT_PLAN = [
  ['detection', 'none', '/api/feed', 'This plan has no API access: Professional or Enterprise is needed'],
  ['none', 'defend', '/api/metrics', 'This plan has no API access: Professional or Enterprise is needed'],
  ['enterprise', 'none', '/api/v1/threats', 'This key has no v1 plan: Trial, Protection or Defend is needed'],
] as const
test(
  'answers 403 where a plan has no data, and counts the request',
  withDatabase('service', async (database) => {
    for (const [earlierPlan, v1Plan, path, message] of WITHOUT_PLAN) {
      const { ask } = await createTestService(database, { earlierPlan, v1Plan })
      const answer = await ask(path)
      expect(answer.status).toBe(403)
      expect(await readError(answer)).toBe(message)
      const limit = Number(answer.headers.get('x-ratelimit-limit'))
      expect(limit).toBeGreaterThan(0)
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(limit - 1))
    }
  }),
)

test(
  'reports an expiry only to trial keys',
  withDatabase('service', async (database) => {
    const trial = await createTestService(database, { v1Plan: 'trial', trialDays: 3 })
    const expiry = (await trial.ask('/api/v1/threats')).headers.get('x-trial-expires') ?? ''
    expect(Date.parse(expiry) - Date.now()).toBeGreaterThan(2.9 * 86_400_000)
    expect(Date.parse(expiry) - Date.now()).toBeLessThanOrEqual(3 * 86_400_000)

    const full = await createTestService(database, { v1Plan: 'defend' })
    expect((await full.ask('/api/v1/threats')).headers.has('x-trial-expires')).toBe(false)
  }),
)
