import { expect, onTestFinished, test } from 'vitest'
import { composeRooms } from '#bff/compose.ts'
import { createLog } from '#bff/http/log.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { findTraces } from '#test/support/find-traces.ts'
import { type StandInCall, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierDetail, earlierList, v1Detail, v1List, v1Record } from '#test/support/upstream-records.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { serviceKeyRoutes } from './service-key-routes.ts'

const SECRETS = {
  'the key of the environment': 'lk_env_Pq4!wT8~canary+one/5c1d=22bb',
  'the key of the settings': 'lk_set_Zq7!xR3~canary+two/9f2b=77aa',
  'a key of the service': 'ltn_KsV9canaryThreeMb2Xq7LpWd4Hc8Jr',
  "a webhook's secret": 'kNq7pXw2canaryFourZr9tYv4sBd6Lm',
}
const [ENVIRONMENT_KEY, SETTINGS_KEY, SERVICE_KEY, HOOK] = [
  SECRETS['the key of the environment'],
  SECRETS['the key of the settings'],
  SECRETS['a key of the service'],
  SECRETS["a webhook's secret"],
]
const SLACK = `https://hooks.slack.com/services/T01234567/B01234567/${HOOK}`
const NOT_DATA = [
  '/bff/session',
  '/bff/profile',
  '/bff/users',
  '/bff/audit',
  '/bff/audit/export',
  '/healthz',
  '/',
]
const VALUES: Readonly<Record<string, string>> = { id: 'thr_1', code: 'DE', name: 'Ashfall', index: '0' }

test('secrets that are set, made or sent come back in no answer, header or log line', {
  timeout: 60_000,
}, async () => {
  const database = await takeDatabase('bff')
  const vendor = await startStandInUpstream()
  const profile = {
    id: 'alp_1',
    name: 'Clinics',
    keywords: ['clinic'],
    categories: [],
    notifications: { email: ['ada@lantern.example'], slack: SLACK, teams: null },
    created_at: '2026-03-10T08:00:00.000Z',
    updated_at: '2026-03-10T08:00:00.000Z',
    triggered_count: 0,
  }
  const echo = ({ headers }: StandInCall) => `${headers.authorization}`.slice('Bearer '.length)
  vendor.play('/api/v1/threats', { json: v1List([v1Record()]) })
  vendor.play('/api/v1/threats/thr_1', (call) => ({ json: { data: v1Detail({ title: echo(call) }) } }))
  vendor.play('/api/v1/threat-actors', (call) => ({
    json: { data: [{ name: echo(call), mentions: 1 }] },
  }))
  vendor.play('/api/v1/countries/DE', (call) => ({ status: 400, json: { error: echo(call) } }))
  vendor.play('/api/feed', { json: earlierList([]) })
  vendor.play('/api/feed/thr_1', { json: earlierDetail() })
  vendor.play('/api/metrics', (call) => ({ status: 500, json: { error: echo(call) } }))
  vendor.play('/api/alerts', ({ method }) =>
    method === 'POST' ? { status: 201, json: profile } : { json: { alert_profiles: [profile] } },
  )

  const logged: string[] = []
  const data = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream: { url: vendor.url, apiKey: ENVIRONMENT_KEY, kind: 'vendor' },
    database,
    secret: 'secret-of-the-tests-and-long-enough',
    origin: 'http://localhost:4173',
    log: createLog((line) => logged.push(line)),
  })
  onTestFinished(() => data.close())
  const serviceKeys = {
    list: async () => [],
    create: async () => ({ id: 'sk_1', token: SERVICE_KEY }),
    revoke: async () => true,
  }
  const bff = await createTestBff(database, {
    routes: [...data.routes, ...serviceKeyRoutes(serviceKeys, database)],
  })
  await bff.signIn()

  const texts: string[] = []
  async function note(path: string, answer: Promise<Response>): Promise<Response> {
    const response = await answer
    texts.push(`${path} ${JSON.stringify([...response.headers])} ${await response.clone().text()}`)
    return response
  }
  const paths = data.routes
    .filter(({ method, path }) => method === 'GET' && path !== '/bff/live')
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (_, name: string) => VALUES[name] ?? 'v1'))
  const crawl = async () => {
    for (const path of [...paths, '/bff/service-keys', ...NOT_DATA]) await note(path, bff.ask(path))
  }

  await crawl()
  const put = { method: 'PUT', body: { key: SETTINGS_KEY } }
  expect((await note('PUT key', bff.ask('/bff/keys/v1', put))).status).toBe(200)
  expect(
    (await note('PUT bad key', bff.ask('/bff/keys/v1', { ...put, body: { key: `${SETTINGS_KEY} x` } })))
      .status,
  ).toBe(400)
  // The one answer that may contain a secret: to the admin who made it, once.
  const made = { account: 'Team', name: 'Own', earlierPlan: 'none', v1Plan: 'trial' }
  expect(await (await bff.ask('/bff/service-keys', { body: made })).text()).toContain(SERVICE_KEY)
  const draft = {
    name: 'Clinics',
    keywords: ['clinic'],
    categories: [],
    email: [],
    slack: SLACK,
    teams: null,
  }
  const created = await note('POST alert', bff.ask('/bff/alerts', { body: draft }))
  expect([created.status, await created.text()]).toEqual([201, expect.stringContaining('hooks.slack.com')])
  await crawl()

  expect(paths.length).toBeGreaterThan(15)
  expect(vendor.calls.some(({ headers }) => headers.authorization === `Bearer ${SETTINGS_KEY}`)).toBe(true)
  const all = [...texts, ...logged, ...bff.logged].join('\n')
  for (const [name, secret] of Object.entries(SECRETS)) expect(findTraces(secret, all), name).toEqual([])
})
