import { expect, test } from 'vitest'
import { alertCreatedSchema, alertListSchema } from '#contract/bff/alert.ts'
import { ALERTS, DRAFT, NOW, startAlerts, vendorProfile } from '#test/support/alerts/start-alerts.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { refuseRecords } from '#test/support/refuse-records.ts'
import type { StandInReply } from '#test/support/stand-in-upstream.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const MASKED = { email: ['a…@lantern.example'], slack: 'hooks.slack.com/…ab12', teams: null }

async function start(options = {}) {
  const database = await takeDatabase('bff')
  const alerts = await startAlerts(database, options)
  const readAudit = async () =>
    (
      await database.query(
        "select action, object, object_name, after from audit_event where action like 'alert-%' order by id",
      )
    ).rows
  return { ...alerts, database, readAudit, create: (body: object = DRAFT) => alerts.ask(ALERTS, { body }) }
}

test('sends a draft once, answers the profile with its destinations masked, and writes it down', async () => {
  const { create, play, countPosts, readAudit } = await start({ role: 'analyst' })
  let sent: unknown
  play({
    post: async (call) => {
      sent = await call.readBody()
      return { status: 201, json: vendorProfile({ triggered_count: 0 }) }
    },
  })
  const answer = await create()
  expect(answer.status).toBe(201)
  expect(alertCreatedSchema.parse(await answer.json())).toEqual({
    outcome: 'created',
    profile: {
      id: 'alp_1',
      name: 'Harbour',
      keywords: DRAFT.keywords,
      categories: ['Ransomware'],
      destinations: MASKED,
      triggeredCount: 0,
      createdAt: NOW,
      updatedAt: NOW,
      window: null,
    },
  })
  const { email, slack, teams: _none, ...criteria } = DRAFT
  expect(sent).toEqual({ ...criteria, notifications: { email, slack } })
  expect(countPosts()).toBe(1)
  const audit = await readAudit()
  expect(audit).toMatchObject([
    { action: 'alert-requested', object: null, object_name: 'Harbour' },
    { action: 'alert-created', object: 'alp_1', object_name: 'Harbour' },
  ])
  expect(JSON.stringify(audit)).toContain('hooks.slack.com/…ab12')
})

test('sends an address once, in whatever letter case it is given again', async () => {
  const { create, play } = await start()
  let sent: unknown
  play({
    post: async (call) => {
      sent = await call.readBody()
      return { status: 201, json: vendorProfile() }
    },
  })
  await create({ ...DRAFT, email: ['Soc@corp.example', 'duty@corp.example', 'soc@CORP.example'] })
  expect(sent).toMatchObject({ notifications: { email: ['Soc@corp.example', 'duty@corp.example'] } })
})

test('sends no draft that cannot be recorded', async () => {
  const { create, play, countPosts, database, readAudit } = await start()
  play({ post: () => ({ status: 201, json: vendorProfile() }) })
  await refuseRecords(database)
  expect((await create()).status).toBe(500)
  expect(countPosts()).toBe(0)
  expect(await readAudit()).toEqual([])
})

test('takes hosts of NOTIFY_HOSTS for both kinds of webhooks, and no others', async () => {
  const { create, play, countPosts } = await start({ webhookHosts: ['chat.corp.example'] })
  play({ post: () => ({ status: 201, json: vendorProfile() }) })
  const [slack, teams] = ['https://chat.corp.example/hooks/abc', 'https://chat.corp.example/teams']
  expect((await create({ ...DRAFT, slack, teams })).status).toBe(201)
  const refused = await create({ ...DRAFT, slack, teams: 'https://other.corp.example/teams' })
  expect(await readProblem(refused)).toMatchObject({ status: 400, fields: [{ name: 'teams' }] })
  expect(countPosts()).toBe(1)
})

test('lets no viewer create one', async () => {
  const { create, countPosts } = await start({ role: 'viewer' })
  expect(await readProblem(await create())).toMatchObject({ status: 403, code: 'role_not_allowed' })
  expect(countPosts()).toBe(0)
})

test.each([
  [{ name: '  ' }, 'name'],
  [{ keywords: [] }, 'keywords'],
  [{ keywords: ['acme', 'x'.repeat(201)] }, 'keywords.1'],
  [{ keywords: ['acme', 'b', '***'] }, 'keywords.2'],
  [{ keywords: ['a\0b'] }, 'keywords.0'],
  [{ email: ['ada@lantern'] }, 'email.0'],
  [{ slack: 'https://hooks.slack.com.evil.example/services/T/B/x' }, 'slack'],
  [{ slack: 'http://hooks.slack.com/services/T/B/x' }, 'slack'],
  [{ teams: 'https://corp.webhook.office.com/webhookb2/a/IncomingWebhook/b/c' }, 'teams'],
  [{ triggeredCount: 9 }, 'triggeredCount'],
])('refuses %j at its field, without a request to the vendor', async (changes, name) => {
  const { create, countPosts } = await start()
  const problem = await readProblem(await create({ ...DRAFT, ...changes }))
  expect(problem).toMatchObject({ status: 400, code: 'bad_request', fields: [{ name }] })
  expect(countPosts()).toBe(0)
})

test('says what to do about a retired Teams connector', async () => {
  const { create } = await start()
  const teams = 'https://outlook.office.com/webhook/a@b/IncomingWebhook/c/d'
  const { fields } = await readProblem(await create({ ...DRAFT, teams }))
  expect(fields?.[0]?.reason).toMatch(/switched off.*workflow/)
})

test.each([
  ['Invalid category in "categories"; permitted: Ransomware, Leak', 'categories'],
  ['Invalid field "keywords[1]": must hold a letter', 'keywords.1'],
  ['Invalid field "notifications.email[0]": must be an e-mail address', 'email.0'],
  [`Bad slack webhook ${DRAFT.slack}`, 'slack'],
  ['Missing field "name": must be text', 'name'],
])('brings the refusal %j back to its field', async (error, name) => {
  const { create, play, readAudit } = await start()
  play({ post: { status: 400, json: { error } } })
  const problem = await readProblem(await create())
  expect(problem).toMatchObject({ status: 422, code: 'alert_refused', fields: [{ name }] })
  expect(JSON.stringify(problem)).not.toContain('canary')
  expect(await readAudit()).toMatchObject([
    { action: 'alert-requested' },
    { action: 'alert-refused', object: null },
  ])
})

test('reports a refusal without a field, and learns categories that a refusal lists', async () => {
  const { create, play, categories } = await start()
  play({ post: { status: 400, json: { error: 'Too many profiles' } } })
  expect(await readProblem(await create())).toMatchObject({
    code: 'alert_refused',
    detail: 'The vendor says: Too many profiles',
  })
  play({ post: { status: 400, json: { error: 'Invalid category. Permitted: Ransomware, Leak' } } })
  await create()
  expect(categories.list()).toContain('Leak')
})

test.each<[string, StandInReply, totalMs?: number]>([
  ['the connection breaks after it was sent', { act: (response) => void response.destroy() }],
  ['a gateway fails', { status: 502, raw: '<h1>Bad gateway</h1>' }],
  ['no answer comes in time', { act: () => {} }, 1_000],
  ['the answer holds no profile', { status: 201, json: { ok: true } }],
])('finds the profile in the list when %s', async (_, post, totalMs) => {
  const { create, play, countPosts, readAudit } = await start(totalMs ? { totalMs } : {})
  play({ post, list: { json: { alert_profiles: [vendorProfile()] } } })
  const answer = await create()
  expect(answer.status).toBe(201)
  expect(alertCreatedSchema.parse(await answer.json())).toMatchObject({
    outcome: 'found',
    profile: { id: 'alp_1' },
  })
  expect(countPosts()).toBe(1)
  expect((await readAudit()).at(-1)).toMatchObject({ action: 'alert-created', object: 'alp_1' })
})

test('reports that a profile is not in the list, and polls again instead of sending again', async () => {
  const { create, play, countPosts, readAudit, clock } = await start()
  const earlier = { created_at: '2026-03-01T00:00:00Z' }
  play({ post: { status: 502, raw: '' }, list: { json: { alert_profiles: [vendorProfile(earlier)] } } })
  const problem = await readProblem(await create())
  expect(problem).toMatchObject({ status: 502, code: 'alert_unclear', set: 'earlier' })
  expect(problem.detail).toContain('not in the list now')
  expect(await readAudit()).toMatchObject([{ action: 'alert-requested' }, { action: 'alert-unclear' }])

  clock.wait(5_000)
  play({ list: { json: [vendorProfile(earlier), vendorProfile({ id: 'alp_2' })] } })
  expect(await (await create()).json()).toMatchObject({ outcome: 'found', profile: { id: 'alp_2' } })
  expect(countPosts()).toBe(1)
})

test('says when the list cannot be read back either', async () => {
  const { create, play, clock } = await start()
  play({ post: { status: 502, raw: '' }, list: { status: 429, json: { error: 'Wait 60 seconds' } } })
  const problem = await readProblem(await create())
  expect(problem).toMatchObject({ code: 'alert_unclear' })
  expect(problem.detail).toContain('cannot be read back')
  clock.wait(120_000)
})

test('waits for a late answer no longer than a browser does, and keeps what it brings', async () => {
  const { create, play, ask, countPosts } = await start()
  const late = Promise.withResolvers<void>()
  play({ post: () => late.promise.then(() => ({ status: 201, json: vendorProfile() })) })
  expect((await readProblem(await create())).code).toBe('alert_unclear')
  late.resolve()
  await expect.poll(async () => (await (await ask(ALERTS)).json()).profiles).toHaveLength(1)
  expect(await (await create()).json()).toMatchObject({ profile: { id: 'alp_1' } })
  expect(countPosts()).toBe(1)
})

test('creates a draft once that is sent twice, to any process', async () => {
  const { create, play, countPosts, database, createProcess, clock } = await start()
  const other = await createTestBff(database, { routes: createProcess() })
  await other.signIn()
  play({ post: { status: 201, json: vendorProfile() } })
  const answers = await Promise.all([create(), create(), other.ask(ALERTS, { body: DRAFT })])
  for (const answer of answers) {
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ profile: { id: 'alp_1' } })
  }
  expect(countPosts()).toBe(1)

  await create({ ...DRAFT, name: 'Another' })
  clock.wait(61_000)
  await create()
  expect(countPosts()).toBe(3)
})

test('sends a draft again at once after a refusal that created nothing', async () => {
  const { create, play, countPosts } = await start()
  play({ post: { status: 400, json: { error: 'Not today' } } })
  await create()
  play({ post: { status: 201, json: vendorProfile() } })
  expect((await create()).status).toBe(201)
  expect(countPosts()).toBe(2)
})

test.each([
  [{ status: 403, json: { error: 'Your plan has no API access' } }, 'plan_not_allowed'],
  [{ status: 429, json: { error: 'Wait 30 seconds' } }, 'rate_limited'],
  [{ status: 401, json: { error: 'Invalid key' } }, 'key_invalid'],
])('distinguishes a refusal by plan, limit or key from an unknown result: %j', async (post, code) => {
  const { create, play, countPosts, standIn } = await start()
  play({ post })
  expect((await readProblem(await create())).code).toBe(code)
  expect(countPosts()).toBe(1)
  expect(standIn.calls).toHaveLength(1)
})

test('shows what was created in every process, at no further call', async () => {
  const { create, play, ask, database, createProcess, standIn } = await start()
  const other = await createTestBff(database, { routes: createProcess() })
  await other.signIn()
  const list = async (from: typeof ask) => alertListSchema.parse(await (await from(ALERTS)).json()).profiles
  expect(await list(ask)).toEqual([])
  expect(await list(other.ask)).toEqual([])
  play({ post: { status: 201, json: vendorProfile() } })
  await create()
  expect(await list(ask)).toHaveLength(1)
  expect(await list(other.ask)).toHaveLength(1)
  expect(standIn.calls).toHaveLength(3)
})

test('reveals a destination in no answer, no log line and no table', async () => {
  const { create, play, ask, database, readLog } = await start()
  const teams =
    'https://prod-1.westeurope.logic.azure.com/workflows/canary0teams0id/triggers?sig=canary0teams0sig'
  const body = { ...DRAFT, email: ['canary.mail@lantern.example'], teams }
  const profile = vendorProfile({ notifications: { email: body.email, slack: body.slack, teams } })
  const answers: string[] = []
  for (const post of [
    { status: 400, json: { error: `Cannot reach ${teams} of canary.mail@lantern.example` } },
    { status: 400, json: { error: `Bad hook: ${encodeURIComponent(body.slack)}` } },
    { status: 500, json: { error: body.slack } },
    { status: 201, json: profile },
  ]) {
    play({ post, list: { json: { alert_profiles: [profile] } } })
    answers.push(await (await create({ ...body, name: `Harbour ${answers.length}` })).text())
  }
  answers.push(
    await (await ask(ALERTS)).text(),
    await (await create({ ...body, slack: `${body.slack} x` })).text(),
  )
  const tables = await database.query(
    'select (select json_agg(a) from alert_creation a)::text || (select json_agg(e) from audit_event e)::text as all',
  )
  const everything = JSON.stringify([answers, tables.rows, readLog()])
  expect(everything).toContain('c…@lantern.example')
  expect(everything).not.toMatch(/canary/)
})
