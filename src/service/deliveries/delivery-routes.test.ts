import { expect, test } from 'vitest'
import { deliveryDetailSchema, deliveryListSchema } from '#contract/delivery.ts'
import { createSender } from '#delivery/run-deliveries.ts'
import { leaveOutRemoved } from '#service/alerts/alert-destinations.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { refused, scriptChannel } from '#test/support/delivery/deliveries.ts'
import { createTestService, readError } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const SECRET = 'a secret of the tests'
const ACME = { earlierPlan: 'professional' } as const

async function open(answers: Parameters<typeof scriptChannel>[0] = []) {
  const database = await takeDatabase('service')
  const email = scriptChannel(answers)
  const sender = createSender({
    database,
    channels: { email },
    secret: SECRET,
    leaveOutRemoved,
    linkTo: (id) => `https://lantern.example/${id}`,
    onError(error) {
      throw error
    },
    rateOf: () => ({ everyMs: 0, burst: 1 }),
  })
  const acme = await createTestService(database, ACME)
  const create = async (notifications: object) => {
    const body = { name: 'Brands', keywords: ['northwind'], notifications }
    return (await (await acme.ask('/api/alerts', { body })).json()).id
  }
  return {
    database,
    email,
    ...acme,
    create,
    list: async (query = '') =>
      deliveryListSchema.parse(await (await acme.ask(`/api/alert-deliveries${query}`)).json()),
    async work() {
      await sender.pass()
      await sender.drain()
    },
  }
}

test('lists what was told, to the account alone, and sends again what failed', async () => {
  const { database, email, ask, create, list, work } = await open([
    refused({ code: '550 5.1.1', isPermanent: true }),
  ])
  const globex = await createTestService(database, { ...ACME, account: 'globex' })
  const profile = await create({ email: ['soc@acme.example'] })
  const same = { name: 'Theirs', keywords: ['northwind'], notifications: { email: ['soc@acme.example'] } }
  await globex.ask('/api/alerts', { body: same })
  await insertThreats(database, [makeThreat()])
  await work()
  expect(email.sent.map(({ message }) => 'causes' in message && message.causes)).toEqual(
    expect.arrayContaining([[{ kind: 'profile', name: 'Brands' }], [{ kind: 'profile', name: 'Theirs' }]]),
  )

  const { deliveries } = await list()
  const [delivery] = deliveries
  expect(deliveries).toMatchObject([
    {
      channel: 'email',
      destination: 's…@acme.example',
      causes: [{ id: profile, name: 'Brands' }],
      threatCount: 1,
    },
  ])
  const theirs = deliveryListSchema.parse(await (await globex.ask('/api/alert-deliveries')).json())
  const [failed] = [...deliveries, ...theirs.deliveries].filter(({ state }) => state === 'failed')
  const { ask: askOwner } = failed?.id === delivery?.id ? { ask } : globex
  const path = `/api/alert-deliveries/${failed?.id}`
  const detail = deliveryDetailSchema.parse(await (await askOwner(path)).json())
  expect(detail.history).toMatchObject([{ number: 1, outcome: 'refused', code: '550 5.1.1' }])
  expect(detail.threatIds).toHaveLength(1)
  const stranger = askOwner === ask ? globex.ask : ask
  for (const request of [{}, { body: {} }])
    expect((await stranger('body' in request ? `${path}/resend` : path, request)).status).toBe(404)
  expect((await askOwner(`${path}/resend`, { body: {} })).status).toBe(200)
  await work()
  expect(deliveryDetailSchema.parse(await (await askOwner(path)).json()).state).toBe('sent')
  expect((await askOwner(`${path}/resend`, { body: {} })).status).toBe(409)
  expect((await list('?state=failed,unclear')).deliveries).toEqual([])
  expect(
    (await list(`?profile=${profile}&channel=email&threat=${detail.threatIds[0]}`)).deliveries,
  ).toHaveLength(1)
})

test('says why nothing is sent of a paused or deleted profile, and changes one', async () => {
  const { database, email, ask, create, list, work } = await open()
  const id = await create({ email: ['soc@acme.example'], slack: 'https://hooks.slack.com/services/T0/B0/x' })
  const change = async (body: object) => (await ask(`/api/alerts/${id}`, { method: 'PUT', body })).json()
  expect(await change({ state: 'paused', notifications: { slack: null } })).toMatchObject({
    name: 'Brands',
    notifications: { email: ['soc@acme.example'], slack: null },
  })
  const summary = async () => (await (await ask('/api/alert-summaries')).json()).deliveries[id]
  expect((await summary()).state).toBe('paused')
  await insertThreats(database, [makeThreat()])
  await work()
  expect((await list()).deliveries).toMatchObject([{ state: 'notSent', reason: 'paused' }])

  await change({ state: 'active', name: 'Renamed' })
  await insertThreats(database, [makeThreat()])
  await work()
  expect(email.sent.map(({ message }) => 'count' in message && [message.count, message.causes])).toEqual([
    [1, [{ kind: 'profile', name: 'Renamed' }]],
  ])
  expect(await summary()).toMatchObject({ state: 'active', lastSentAt: expect.any(String), failures: 0 })

  await insertThreats(database, [makeThreat()])
  expect((await ask(`/api/alerts/${id}`, { method: 'DELETE' })).status).toBe(200)
  await work()
  // As if the minute were over in which what follows a message is one.
  await database.query(
    `update delivery set next_attempt_at = now() - interval '1 second' where next_attempt_at is not null`,
  )
  await work()
  expect(email.sent).toHaveLength(1)
  expect((await list('?state=notSent')).deliveries.map(({ reason }) => reason)).toEqual(['deleted', 'paused'])
  expect((await ask(`/api/alerts/${id}`, { method: 'DELETE' })).status).toBe(404)
  await insertThreats(database, [makeThreat()])
})

test('sends nothing to a destination that was taken off while it waited, and what others tell it', async () => {
  const { database, email, ask, create, list, work } = await open()
  const [gone, kept] = ['gone@acme.example', 'kept@acme.example']
  const id = await create({ email: [gone, kept] })
  await create({ email: [kept] })
  await insertThreats(database, [makeThreat()])
  const change = { method: 'PUT', body: { notifications: { email: [] } } }
  expect((await ask(`/api/alerts/${id}`, change)).status).toBe(200)
  await work()
  expect(email.sent.map(({ destination, message }) => [destination, Object(message).causes.length])).toEqual([
    [kept, 1],
  ])
  const [unsent] = (await list('?state=notSent')).deliveries
  expect(unsent).toMatchObject({ destination: 'g…@acme.example', reason: 'removed', attempts: 0 })
  // Sent again by a person, it is still not theirs.
  expect((await ask(`/api/alert-deliveries/${unsent?.id}/resend`, { body: {} })).status).toBe(200)
  await work()
  expect(email.sent).toHaveLength(1)
  expect((await list('?state=notSent')).deliveries).toMatchObject([{ reason: 'removed' }])
})

test('tries destinations for people of the account, ten a minute, and counts no request', async () => {
  const { ask, create, database, email, list, work } = await open()
  const id = await create({ email: ['soc@acme.example', 'ciso@acme.example'] })
  const body = { requested_by: 'mia@acme.example' }
  expect((await ask(`/api/alerts/${id}/test`, { body })).status).toBe(202)
  await work()
  expect(email.sent.map(({ destination }) => destination).sort()).toEqual([
    'ciso@acme.example',
    'soc@acme.example',
  ])
  expect(email.sent[0]?.message).toMatchObject({ kind: 'test', requestedBy: 'mia@acme.example' })

  expect((await list(`?profile=${id}`)).deliveries.map(({ kind, causes }) => [kind, causes])).toEqual([
    ['test', [{ kind: 'profile', id, name: 'Brands' }]],
    ['test', [{ kind: 'profile', id, name: 'Brands' }]],
  ])

  const second = { ...body, destination: 'email.1' }
  expect((await ask(`/api/alerts/${id}/test`, { body: second })).status).toBe(202)
  await work()
  expect(email.sent.slice(2).map(({ destination }) => destination)).toEqual(['ciso@acme.example'])
  for (const [destination, status] of [
    ['email.2', 404],
    ['slack', 404],
    ['pigeon', 400],
  ])
    expect((await ask(`/api/alerts/${id}/test`, { body: { ...body, destination } })).status).toBe(status)

  const given = { channel: 'email', destination: 'new@acme.example' }
  const statuses: number[] = []
  for (let at = 0; at < 8; at++) statuses.push((await ask('/api/alerts/test', { body: given })).status)
  expect(statuses).toEqual([...Array.from({ length: 7 }, () => 202), 429])
  const wrong = await ask('/api/alerts/test', { body: { channel: 'slack', destination: 'http://x' } })
  expect([wrong.status, await readError(wrong)]).toEqual([400, expect.stringContaining('"destination"')])
  expect((await ask('/api/alerts')).status).toBe(200)
  // Only the two that the reference has: the creation, and this. Whatever minutes and days they were in.
  const { rows } = await database.query('select sum(requests)::integer as counted from request_day')
  expect(rows).toEqual([{ counted: 2 }])
})
