import { expect, test } from 'vitest'
import { type AlertHealth, alertHealthSchema } from '#contract/bff/alert-health.ts'
import { profileProvedSchema } from '#contract/bff/alert-profile.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

type Ask = Awaited<ReturnType<typeof startProfiles>>['ask']
const readHealth = async (ask: Ask): Promise<AlertHealth> =>
  alertHealthSchema.parse(await (await ask('/bff/alerts/health')).json())

test('health lists destinations once, what is broken first, and when a message last arrived', async () => {
  const { create, publish, receiver, ask } = await startProfiles(await takeDatabase('bff'))
  expect(await readHealth(ask)).toEqual({
    problems: [],
    lastSentAt: null,
    destinations: [],
    destinationCount: 0,
  })
  const hook = { channel: 'webhook', url: `${receiver.origin}/hook` } as const
  await create([hook], { name: 'Zebra' })
  await create([hook, { channel: 'webhook', url: 'https://vendor.test:9/hook' }], { name: 'Clinics' })
  expect(await readHealth(ask)).toMatchObject({ lastSentAt: null, destinationCount: 2, problems: [] })
  await publish({ id: 'first' })
  const states = async () => {
    const { destinations } = await readHealth(ask)
    return destinations.map(({ health, profiles }) => [health.state, profiles.map(({ name }) => name).sort()])
  }
  await expect.poll(states).toEqual([
    ['failing', ['Clinics']],
    ['proven', ['Clinics', 'Zebra']],
  ])
  expect((await readHealth(ask)).lastSentAt).toMatch(/Z$/)
})

test('others read nothing of a private profile’s destinations and problems, its owner and admins do', async () => {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { statuses: [404, 404] })
  const { ask, create, createBrowser, publish, receiver } = started
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'vera@example.com', 'Vera', 'viewer', password_hash from account`,
  )
  const viewer = createBrowser()
  await viewer.signIn({ ...ADMIN, email: 'vera@example.com' })
  await create([{ channel: 'webhook', url: 'https://vendor.test:9/private' }], { name: 'Secret project' })
  await create([{ channel: 'slack', url: `${receiver.origin}/shared` }], { name: 'Ours', isShared: true })
  await publish({ id: 'first' })
  const problem = {
    kind: 'failed',
    subject: expect.stringMatching(/^Messages to vendor\.test\/….*: failed$/),
    text: expect.stringMatching(
      /^404 “ok”\. Recipients: vendor\.test\/….* \(Ours\)\. Create a new webhook there/,
    ),
    path: '/alerts/deliveries?state=failed',
  }
  await expect.poll(async () => (await readHealth(ask)).problems).toMatchObject([problem])
  expect((await readHealth(ask)).destinationCount).toBe(2)
  const read = await readHealth(viewer.ask)
  expect(read).toMatchObject({ problems: [problem], destinationCount: 1 })
  expect(JSON.stringify(read)).not.toMatch(/Secret|private/)
})

test('health names a profile that is not evaluated, and recipients that cannot be read', async () => {
  const database = await takeDatabase('bff')
  const { ask, create } = await startProfiles(database)
  await create(undefined, { name: 'Clinics' })
  await database.query(`update alert_profile set filter = '{"q":"profile:\\"gone\\""}'`)
  await database.query(`update alert_recipient set sealed = sealed || '\\x00'`)
  const { problems, destinations } = await readHealth(ask)
  expect(problems.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['unopenable', 'Recipients cannot be read'],
    ['notEvaluated', 'The alert profile “Clinics” is not evaluated'],
  ])
  expect(destinations).toMatchObject([{ health: { state: 'unopenable' } }])
})

test('health reports a read-only database while it is read-only', async () => {
  const database = { isWritable: true }
  const { ask } = await startProfiles(await takeDatabase('bff'), {
    isDatabaseWritable: async () => database.isWritable,
  })
  expect((await readHealth(ask)).problems).toEqual([])
  database.isWritable = false
  expect((await readHealth(ask)).problems).toEqual([
    {
      kind: 'readOnly',
      since: null,
      subject: 'Lantern’s database takes no writes',
      path: '/settings',
      text: expect.stringMatching(/no alert is sent.+Free disk space for PostgreSQL\.$/),
    },
  ])
  database.isWritable = true
  expect((await readHealth(ask)).problems).toEqual([])
})

test('a proof sends a matching record as a test, or a plain test without one', async () => {
  const { ask, create, publish, receiver } = await startProfiles(await takeDatabase('bff'))
  await publish({ id: 'older', title: 'Older breach' }, { id: 'newest', title: 'Newest breach' })
  const { profile } = await create()
  const prove = (id: string) => ask(`/bff/alert-profiles/${id}/prove`, { method: 'POST' })
  const proved = profileProvedSchema.parse(await (await prove(profile.id)).json())
  expect(proved).toMatchObject({ sent: [{}], record: expect.stringMatching(/breach$/) })
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'alert.test',
    data: { proof: proved.record, text: expect.stringMatching(/^This is a test/) },
  })
  const { profile: other } = await create(undefined, { filter: { q: 'nowhere' } })
  expect(await (await prove(other.id)).json()).toMatchObject({ sent: [{}], record: null })
  await publish({ id: 'next', title: 'Next breach' })
  const types = () => receiver.received.map(({ body }) => JSON.parse(body).type)
  await expect.poll(types).toEqual(['alert.test', 'alert.test', 'alert.matches'])
})
