import { expect, test } from 'vitest'
import { readMetrics } from './read-metrics.ts'

const NOTHING = {
  categories: [],
  totalThreats: null,
  alertsTriggered: null,
  alertProfiles: null,
  countriesMonitored: null,
  lastThreatAt: null,
  requestsToday: null,
  requestsThisMonth: null,
}

test('reads the metrics as documented', () => {
  const body = {
    total_threats: 1_200,
    alerts_triggered: 3,
    alert_profiles_count: 2,
    threat_categories: { Ransomware: 700, DDoS: 500 },
    countries_monitored: 41,
    last_threat_at: '2026-03-10T08:00:00Z',
    api_usage: { today: 9, this_month: 310 },
  }
  expect(readMetrics(body)).toEqual({
    categories: [
      { name: 'Ransomware', count: 700 },
      { name: 'DDoS', count: 500 },
    ],
    totalThreats: 1_200,
    alertsTriggered: 3,
    alertProfiles: 2,
    countriesMonitored: 41,
    lastThreatAt: '2026-03-10T08:00:00.000Z',
    requestsToday: 9,
    requestsThisMonth: 310,
    otherFields: [],
  })
})

test.each(['metrics', 'stats', 'statistics'])('reads what it was given of them, in %s', (name) => {
  const body = { [name]: { total_threats: 5, plan: 'Enterprise' } }
  expect(readMetrics(body)).toEqual({
    ...NOTHING,
    totalThreats: 5,
    otherFields: [{ path: 'plan', value: 'Enterprise' }],
  })
})

test("takes no category's name for a figure's", () => {
  const body = { categories: { Today: 4, 'Total threats': 6 }, countries: 2 }
  expect(readMetrics(body)).toMatchObject({ totalThreats: null, requestsToday: null, countriesMonitored: 2 })
})

test.each([[null], ['text'], [[5]], [{}], [{ error: 'no' }], [{ metrics: { plan: 'Enterprise' } }]])(
  'reads none from %j',
  (body) => {
    expect(readMetrics(body)).toBeNull()
  },
)
