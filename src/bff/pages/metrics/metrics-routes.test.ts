import { expect, test } from 'vitest'
import { SeenCategories } from '#bff/upstream/seen-categories.ts'
import { metricsAnswerSchema } from '#contract/bff/metrics.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { StubUpstream } from '#test/support/stub-upstream.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { metricsRoutes } from './metrics-routes.ts'

test(
  'reads the documented metrics, learns their categories and keeps the rest',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => ({
      total_threats: 900,
      alerts_triggered: 4,
      alert_profiles_count: 2,
      threat_categories: { Ransomware: 500, Leak: 400 },
      countries_monitored: 61,
      last_threat_at: '2026-01-02T03:04:05Z',
      api_usage: { requests_today: 7, requests_this_month: 70 },
      plan: { name: 'Professional' },
    }))
    const categories = new SeenCategories()
    const bff = await createTestBff(database, {
      routes: metricsRoutes({ ...upstream.dependencies, categories: () => categories }),
    })
    await bff.signIn()

    const { metrics } = metricsAnswerSchema.parse(await (await bff.ask('/bff/metrics')).json())

    expect(metrics).toEqual({
      totalThreats: 900,
      alertsTriggered: 4,
      alertProfiles: 2,
      categories: [
        { name: 'Ransomware', count: 500 },
        { name: 'Leak', count: 400 },
      ],
      countriesMonitored: 61,
      lastThreatAt: '2026-01-02T03:04:05.000Z',
      requestsToday: 7,
      requestsThisMonth: 70,
      otherFields: [{ path: 'plan.name', value: 'Professional' }],
    })
    expect(categories.list()).toContain('Leak')
    await bff.ask('/bff/metrics')
    expect(upstream.calls).toHaveLength(1)
  }),
)

test(
  'reports an answer without any figure as unreadable',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => ({ error: 'none' }))
    const bff = await createTestBff(database, {
      routes: metricsRoutes({ ...upstream.dependencies, categories: () => new SeenCategories() }),
    })
    await bff.signIn()
    expect((await readProblem(await bff.ask('/bff/metrics'))).code).toBe('upstream_unreadable')
  }),
)
