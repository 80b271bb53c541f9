import { expect, test } from 'vitest'
import { metricsSchema } from '#contract/upstream/earlier/metrics.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'

const FULL = { earlierPlan: 'enterprise', v1Plan: 'defend' } as const

test(
  'answers zeros for an empty store',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, FULL)
    expect(metricsSchema.parse(await (await ask('/api/metrics')).json())).toEqual({
      total_threats: 0,
      alerts_triggered: 0,
      alert_profiles_count: 0,
      threat_categories: {},
      countries_monitored: 0,
      last_threat_at: null,
      api_usage: { requests_today: 1, requests_this_month: 1 },
    })
  }),
)

test(
  'counts the threats of the store and the alerts of the account',
  withDatabase('service', async (database) => {
    const acme = await createTestService(database, FULL)
    const globex = await createTestService(database, { ...FULL, account: 'globex' })
    await acme.ask('/api/alerts', { body: { name: 'one', keywords: ['northwind'] } })
    await acme.ask('/api/alerts', { body: { name: 'two', keywords: ['contoso'] } })
    await globex.ask('/api/alerts', { body: { name: 'theirs', keywords: ['northwind'] } })
    await insertThreats(database, [
      makeThreat({ title: 'Northwind', countries: ['DE', 'FR'], publishedAt: '2026-06-01T00:00:00.000Z' }),
      makeThreat({ title: 'Northwind', countries: ['DE'], publishedAt: '2026-06-03T00:00:00.000Z' }),
      makeThreat({ title: 'Contoso', category: 'DDoS', publishedAt: '2026-06-02T00:00:00.000Z' }),
    ])

    expect(metricsSchema.parse(await (await acme.ask('/api/metrics')).json())).toMatchObject({
      total_threats: 3,
      alerts_triggered: 3,
      alert_profiles_count: 2,
      threat_categories: { Ransomware: 2, DDoS: 1 },
      countries_monitored: 2,
      last_threat_at: '2026-06-03T00:00:00.000Z',
    })
  }),
)

test(
  'counts the requests of all keys of the account to both route sets, by UTC day and month',
  withDatabase('service', async (database) => {
    const first = await createTestService(database, FULL)
    const second = await createTestService(database, FULL)
    const stranger = await createTestService(database, { ...FULL, account: 'globex' })
    const days = [
      '2026-05-31T23:59:59Z',
      '2026-06-01T00:00:00Z',
      '2026-06-14T23:59:59Z',
      '2026-06-15T00:00:00Z',
    ]
    for (const day of days) {
      for (const { setNow, ask } of [first, second, stranger]) {
        setNow(day)
        await ask('/api/v1/threats')
        await ask('/api/alerts')
      }
    }
    const { api_usage: usage } = metricsSchema.parse(await (await first.ask('/api/metrics')).json())
    expect(usage).toEqual({ requests_today: 5, requests_this_month: 13 })
  }),
)
