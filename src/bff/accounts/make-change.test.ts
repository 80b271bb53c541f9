import { expect, test } from 'vitest'
import type { OwnServiceKeys } from '#bff/upstream/keys/service-key-routes.ts'
import type { ServiceKey } from '#contract/bff/service-key.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { countWaiting } from '#test/support/hold-sign-ins.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { v1List } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const BOB = '00000000-0000-4000-8000-00000000000b'
const SERVICE_KEY: ServiceKey = {
  id: 'key-1',
  account: 'blue-team',
  name: 'A program',
  earlierPlan: 'none',
  v1Plan: 'protection',
  status: 'active',
  endsAt: null,
  requestsToday: 0,
  isOwn: false,
}
const { account, name, earlierPlan, v1Plan } = SERVICE_KEY
const WRITES = [
  ['PUT', `/bff/users/${BOB}`, { role: 'admin' }],
  ['POST', '/bff/users', { email: 'eve@example.com', role: 'admin' }],
  ['POST', `/bff/users/${BOB}/link`, undefined],
  ['POST', `/bff/users/${BOB}/sign-out`, undefined],
  ['PUT', '/bff/keys/v1', { key: 'key-of-the-settings-0002' }],
  ['DELETE', '/bff/keys/v1', undefined],
  ['POST', '/bff/service-keys', { account, name, earlierPlan, v1Plan }],
  ['DELETE', `/bff/service-keys/${SERVICE_KEY.id}`, undefined],
] as const

test('refuses a change by an admin who is demoted just before', {
  timeout: 60_000,
}, async () => {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', { json: v1List([]) })
  const done: string[] = []
  const serviceKeys: OwnServiceKeys = {
    list: async () => [SERVICE_KEY],
    async create() {
      done.push('created')
      return { id: 'key-2', token: 'a token' }
    },
    async revoke() {
      done.push('revoked')
      return true
    },
  }
  const upstream = { url: standIn.url, apiKey: 'key-of-the-environment-0001', kind: 'embedded' } as const
  const { ask } = await startSignedIn(database, { upstream, serviceKeys })
  await database.query(
    `insert into account (id, email, name, role, password_hash)
     select $1, 'bob@example.com', 'bob', 'viewer', password_hash from account`,
    [BOB],
  )
  const readAll = async () =>
    (
      await database.query(
        `select (select array_agg(email || role order by email) from account) as accounts,
                (select count(*) from password_link) as links, (select count(*) from api_key) as keys,
                (select array_agg(action) from audit_event) as record`,
      )
    ).rows
  const before = await readAll()

  for (const [method, path, body] of WRITES) {
    const demotion = await database.pool.connect()
    await demotion.query('begin; lock table account in share row exclusive mode')
    const write = ask(path, { method, body })
    await expect.poll(() => countWaiting(database), { timeout: 20_000, message: path }).toBe(1)
    await demotion.query(`update account set role = 'analyst' where role = 'admin'; commit`)
    demotion.release()

    expect((await readProblem(await write)).code, path).toBe('role_not_allowed')
    await database.query(`update account set role = 'admin' where role = 'analyst'`)
  }
  expect(await readAll()).toEqual(before)
  expect(done).toEqual([])
})
