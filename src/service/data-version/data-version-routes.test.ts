import { expect, test } from 'vitest'
import { parseDataVersion } from '#contract/upstream/data-version.ts'
import { seedDemo } from '#service/demo/seed-demo.ts'
import { deleteDemoThreats } from '#service/threats/delete-demo-threats.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'

/** Far more than the version is cached for. */
const NAMED_WITHIN_MS = 20_000
const NOW = new Date('2026-06-15T12:00:00Z')

test(
  'returns a data version in every answer, which changes only with the records',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise', v1Plan: 'trial' })
    const named = async (path = '/api/metrics') =>
      parseDataVersion((await ask(path)).headers.get('x-lantern-data-version') ?? undefined)
    const records = [makeThreat(), makeThreat()]

    const empty = await named()
    expect(empty).toMatchObject({ added: 0, removed: 0 })
    await insertThreats(database, records)
    await expect.poll(() => named(), { timeout: NAMED_WITHIN_MS }).toEqual({ ...empty, added: 2 })
    await insertThreats(database, records)
    const demo = await seedDemo(database, { now: NOW })
    await expect.poll(() => named(), { timeout: NAMED_WITHIN_MS }).toEqual({ ...empty, added: 2 + demo })
    await deleteDemoThreats(database)
    await expect
      .poll(() => named('/api/v1/threats/none'), { timeout: NAMED_WITHIN_MS })
      .toEqual({ store: empty?.store, added: 2 + demo, removed: demo })
  }),
)

test(
  'reports the version only to valid keys, without counting the request',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, { earlierPlan: 'none', v1Plan: 'trial' })
    for (let count = 0; count < 20; count++) {
      const answer = await ask('/api/data-version')
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ added: 0, removed: 0 })
    }
    expect((await ask('/api/v1/threats')).headers.get('x-ratelimit-remaining')).toBe('4')
    const refused = await ask('/api/data-version', { token: null })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('x-lantern-data-version')).toBeNull()
  }),
)

test(
  'says how far back the plan of a key reads',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise', v1Plan: 'trial' })
    const windowOf = async (path: string) => (await ask(path)).headers.get('x-lantern-data-window')
    expect(await windowOf('/api/v1/threats')).toBe('7')
    expect(await windowOf('/api/feed')).toBe('all')
  }),
)

test(
  'the trigger count of a profile does not include deleted demo records',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise' })
    await ask('/api/alerts', { body: { name: 'All', keywords: ['northwind', 'the', 'a', 'of'] } })
    const triggered = async () => (await (await ask('/api/alerts')).json()).alert_profiles[0].triggered_count
    await seedDemo(database, { now: NOW })
    expect(await triggered()).toBeGreaterThan(100)
    await insertThreats(database, [makeThreat({ title: 'Northwind' })])
    await deleteDemoThreats(database)
    expect(await triggered()).toBe(1)
  }),
)
