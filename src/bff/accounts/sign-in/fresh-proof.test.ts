import { expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/bff/endpoints.ts'
import { composeTable } from '#test/docs/compose-table.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { codeOf, enrolTotp } from '#test/support/enrol-totp.ts'
import { lengthenWaits } from '#test/support/lengthen-waits.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const OLD = `update session set proved_at = now() - interval '601 seconds'`

/** These change who or what gets in: a session that was left open is not enough. */
const NEED_PROOF = [
  'PUT /bff/keys/:set',
  'DELETE /bff/keys/:set',
  'POST /bff/service-keys',
  'DELETE /bff/service-keys/:id',
  'PUT /bff/profile/password',
  'POST /bff/factors/totp',
  'PUT /bff/factors/totp',
  'DELETE /bff/factors/totp',
  'POST /bff/factors/passkeys/options',
  'POST /bff/factors/passkeys',
  'PUT /bff/factors/passkeys/:id',
  'DELETE /bff/factors/passkeys/:id',
  'POST /bff/factors/recovery-codes',
  'POST /bff/users',
  'PUT /bff/users/:id',
  'POST /bff/users/:id/link',
  'POST /bff/users/:id/reset-factors',
  'POST /bff/profile/sso',
  'DELETE /bff/profile/sso',
  'POST /bff/views/:id/feed',
  'POST /bff/alert-profiles/:id/recipients/:recipient/secret',
]
/** A provider that nobody asks: only that its routes are reached is looked at. */
const NOBODYS = {
  issuer: 'http://127.0.0.1:1',
  clientId: 'lantern',
  clientSecret: 'secret',
  trustsEmail: false,
  secret: 'of the tests',
}

/** Every other write. One that is in neither list has not been thought about. */
const NEED_NONE = [
  'POST /bff/sign-in',
  'POST /bff/sign-in/link',
  'POST /bff/sign-in/password-link',
  'POST /bff/sign-in/second-step',
  'POST /bff/sign-in/second-step/passkey',
  'POST /bff/sign-in/sso',
  'POST /bff/sign-in/sso/finish',
  'POST /bff/sign-out',
  'POST /bff/proof',
  'POST /bff/proof/passkey',
  'POST /bff/full-text-searches',
  'POST /bff/history-loads',
  'DELETE /bff/history-loads/:id',
  'POST /bff/alerts',
  'PUT /bff/alerts/:id',
  'DELETE /bff/alerts/:id',
  'POST /bff/alerts/test',
  'POST /bff/alerts/:id/test',
  'POST /bff/alerts/:id/destinations/:destination/test',
  'POST /bff/alert-profiles',
  'POST /bff/alert-profiles/backtest',
  'PUT /bff/alert-profiles/:id',
  'DELETE /bff/alert-profiles/:id',
  'DELETE /bff/alert-profiles/:id/recipients/me',
  'POST /bff/alert-profiles/:id/prove',
  'POST /bff/alert-profiles/:id/recipients/:recipient/test',
  'POST /bff/alert-profiles/:id/mutes',
  'DELETE /bff/alert-profiles/:id/mutes/:mute',
  'POST /bff/unsubscriptions',
  'POST /bff/deliveries/:id/resend',
  'POST /bff/inbox/read',
  'POST /bff/shift-visits',
  'POST /bff/triage/states',
  'POST /bff/triage',
  'POST /bff/triage/undo',
  'POST /bff/views',
  'PUT /bff/views/default',
  'PUT /bff/views/:id',
  'DELETE /bff/views/:id',
  'DELETE /bff/views/:id/feed',
  'POST /bff/lists',
  'PUT /bff/lists/:id',
  'DELETE /bff/lists/:id',
  'POST /bff/lists/:id/entries',
  'PUT /bff/lists/:id/entries/:entryId',
  'DELETE /bff/lists/:id/entries/:entryId',
  'PUT /bff/lists/:id/decisions',
  'POST /bff/cases',
  'POST /bff/cases/preview',
  'POST /bff/cases/undo',
  'PUT /bff/due-times',
  'PUT /bff/profile',
  'DELETE /bff/sessions/:id',
  'POST /bff/sessions/end-others',
  'POST /bff/users/:id/sign-out',
]

const BODIES = new Map<string, unknown>([
  ['PUT /bff/keys/:set', { key: 'a-key-of-the-vendor' }],
  ['POST /bff/service-keys', { account: 'blue', name: 'a', earlierPlan: 'none', v1Plan: 'protection' }],
  ['PUT /bff/profile/password', { current: ADMIN.password, password: 'entirely different words' }],
  ['PUT /bff/factors/totp', { code: '123456' }],
  [
    'POST /bff/factors/passkeys',
    {
      name: 'Laptop',
      passkey: {
        id: 'a',
        rawId: 'a',
        type: 'public-key',
        response: { clientDataJSON: 'a', attestationObject: 'a' },
        clientExtensionResults: {},
      },
    },
  ],
  ['PUT /bff/factors/passkeys/:id', { name: 'Laptop' }],
  ['POST /bff/users', { email: 'bob@example.com', role: 'viewer' }],
  ['PUT /bff/users/:id', { role: 'viewer' }],
])

test('each write is listed as needing a fresh proof or not', () => {
  const writes = Object.keys(ENDPOINTS).filter((endpoint) => !endpoint.startsWith('GET '))
  expect([...NEED_PROOF, ...NEED_NONE].sort()).toEqual(writes.sort())
})

test.each(NEED_PROOF)('%s is refused ten minutes after the sign-in, and not before', async (endpoint) => {
  const database = await takeDatabase('bff')
  const table = await composeTable()
  const known = new Set(['/bff/keys', '/bff/service-keys', '/bff/views', '/bff/alert-profiles'])
  // These routes stand on nothing: only that they are reached is looked at.
  const routes = table.filter(({ path }) => [...known].some((start) => path.startsWith(start)))
  const { ask, signIn } = await createTestBff(database, { routes, singleSignOn: NOBODYS })
  await signIn()
  const [method = '', template = ''] = endpoint.split(' ')
  const path = template.replace(':set', 'v1').replace(':id', ID).replace(':recipient', ID)
  const send = () => ask(path, { method, body: BODIES.get(endpoint) })

  await database.query(`update session set proved_at = now() - interval '599 seconds'`)
  const early = await send()
  expect(await early.text()).not.toContain('fresh_proof_needed')

  await signIn()
  await database.query(OLD)
  expect(await readProblem(await send())).toMatchObject({ status: 403, code: 'fresh_proof_needed' })
})

test(
  'a password, or a code if there is a second factor, is a fresh proof for the same request',
  withDatabase('bff', async (database) => {
    const bff = await createTestBff(database)
    const { ask } = bff
    await bff.signIn()
    let secret = ''
    const invite = (email: string) => ask('/bff/users', { body: { email, role: 'viewer' } })
    for (const [email, readProof] of [
      ['bob@example.com', () => ({ password: ADMIN.password })],
      ['eve@example.com', () => ({ code: codeOf(secret, 30) })],
    ] as const) {
      await database.query(OLD)
      expect((await invite(email)).status).toBe(403)
      expect((await ask('/bff/proof', { body: readProof() })).status).toBe(204)
      expect((await invite(email)).status).toBe(201)
      if (secret === '') secret = (await enrolTotp(bff)).secret
    }

    await database.query(OLD)
    const again = await readProblem(await ask('/bff/proof', { body: { code: codeOf(secret, 30) } }))
    expect(again.fields).toEqual([{ name: 'code', reason: expect.stringContaining('used before') }])
    expect((await invite('mallory@example.com')).status).toBe(403)
  }),
)

test(
  'a wrong password is no proof, is recorded, and is limited as at sign-in',
  withDatabase('bff', async (database) => {
    const { ask, signIn } = await createTestBff(database)
    await signIn()
    await database.query(OLD)
    const statuses: number[] = []
    for (let round = 0; round < 6; round += 1) {
      await lengthenWaits(database)
      statuses.push((await ask('/bff/proof', { body: { password: 'not it' } })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect((await ask('/bff/proof', { body: { password: ADMIN.password } })).status).toBe(429)
    const { rowCount } = await database.query(`select from audit_event where action = 'proof-failed'`)
    expect(rowCount).toBe(5)
    expect((await ask('/bff/users', { body: { email: 'bob@example.com', role: 'viewer' } })).status).toBe(403)
  }),
)
