import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { ALERTS, DRAFT, NOW, startAlerts, vendorProfile } from '#test/support/alerts/start-alerts.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const LOST = { act: (response: { destroy(): void }) => void response.destroy() }
const AWAY = { status: 503, json: { error: 'Maintenance' } }
const listOf = (...profiles: object[]) => ({ json: { alert_profiles: profiles } })

/** A draft that the vendor took without an answer, and whose list could not be read then. */
async function startUnanswered() {
  const database = await takeDatabase('bff')
  const alerts = await startAlerts(database)
  const create = () => alerts.ask(ALERTS, { body: DRAFT })
  alerts.play({ post: LOST, list: AWAY })
  expect((await readProblem(await create())).code).toBe('alert_unclear')
  alerts.play({ post: { status: 201, json: vendorProfile({ id: 'alp_again' }) } })
  return { ...alerts, database, create }
}

test.each([
  ['a minute', 61_000],
  ['three hours', 3 * HOUR_MS],
  ['forty days', 40 * DAY_MS],
])('a draft that was not answered is found in the list %s later, and not sent again', async (_, ageMs) => {
  const { create, play, clock, countPosts } = await startUnanswered()
  clock.wait(ageMs)
  play({ list: listOf(vendorProfile()) })
  expect(await (await create()).json()).toMatchObject({ outcome: 'found', profile: { id: 'alp_1' } })
  expect(countPosts()).toBe(1)
})

test('finds a profile without a creation time, too', async () => {
  const { create, ask, play, clock, countPosts } = await startUnanswered()
  clock.wait(3 * HOUR_MS)
  play({ list: listOf(vendorProfile({ created_at: null })) })
  // The first read makes the profile a known one.
  await ask(ALERTS)
  expect(await (await create()).json()).toMatchObject({ outcome: 'found', profile: { id: 'alp_1' } })
  expect(countPosts()).toBe(1)
})

test('sends a draft again if the vendor has not listed it after five minutes', async () => {
  const { create, play, clock, countPosts } = await startUnanswered()
  play({ post: { status: 201, json: vendorProfile({ id: 'alp_again' }) }, list: listOf() })
  clock.wait(4 * MINUTE_MS)
  const problem = await readProblem(await create())
  expect(problem).toMatchObject({ code: 'alert_unclear' })
  expect(problem.detail).toContain('sent only if it is still not there')
  expect(countPosts()).toBe(1)

  clock.wait(2 * MINUTE_MS)
  expect(await (await create()).json()).toMatchObject({ outcome: 'created', profile: { id: 'alp_again' } })
  expect(countPosts()).toBe(2)
})

test.each([
  ['is away', AWAY, 'cannot be read back'],
  [
    'refuses to be asked so often',
    { status: 429, json: { error: 'Wait 60 seconds' } },
    'cannot be read back',
  ],
  ['is no list', { json: { ok: true } }, 'cannot be read back'],
  ['holds an entry that cannot be read', listOf({ name: 'without an id' }), 'Part of its list'],
])('sends nothing again while the list %s, and reports that', async (_, list, words) => {
  const { create, play, clock, countPosts } = await startUnanswered()
  play({ post: { status: 201, json: vendorProfile() }, list })
  clock.wait(3 * HOUR_MS)
  const problem = await readProblem(await create())
  expect(problem).toMatchObject({ code: 'alert_unclear' })
  expect(problem.detail).toContain(words)
  expect(problem.detail).toContain('othing is sent again')
  expect(countPosts()).toBe(1)
})

test('two tabs and another process retry a draft hours later with one request', async () => {
  const { create, play, clock, countPosts, database, createProcess } = await startUnanswered()
  const other = await createTestBff(database, { routes: createProcess() })
  await other.signIn()
  play({ post: { status: 201, json: vendorProfile({ id: 'alp_again' }) }, list: listOf() })
  clock.wait(3 * HOUR_MS)
  const answers = await Promise.all([create(), create(), other.ask(ALERTS, { body: DRAFT })])
  for (const answer of answers) expect(await answer.json()).toMatchObject({ profile: { id: 'alp_again' } })
  expect(countPosts()).toBe(2)
})

test('a draft that was sent before SECRET was replaced is known after it', async () => {
  const { play, clock, countPosts, database, createProcess } = await startUnanswered()
  const secrets = { secret: 'another of the tests', secretBefore: 'of the tests' }
  const other = await createTestBff(database, { routes: createProcess(secrets) })
  await other.signIn()
  play({ list: listOf(vendorProfile()) })
  clock.wait(3 * HOUR_MS)
  const answer = await other.ask(ALERTS, { body: DRAFT })
  expect(await answer.json()).toMatchObject({ outcome: 'found', profile: { id: 'alp_1' } })
  expect(countPosts()).toBe(1)
})

test('a profile that was created is not created again because the browser lost the answer', async () => {
  const database = await takeDatabase('bff')
  const { ask, play, clock, countPosts } = await startAlerts(database)
  play({ post: { status: 201, json: vendorProfile({ created_at: NOW }) } })
  await ask(ALERTS, { body: DRAFT })
  clock.wait(3 * HOUR_MS)
  play({ list: listOf(vendorProfile()) })
  const answer = await ask(ALERTS, { body: DRAFT })
  expect(await answer.json()).toMatchObject({ outcome: 'found', profile: { id: 'alp_1' } })
  expect(countPosts()).toBe(1)
})
