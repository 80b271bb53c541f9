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

test.each(['metrics', 'stats', 'statistics'])('reads what it was given of them, in %s', (name) => {
  const body = { [name]: { total_threats: 5, plan: 'Enterprise' } }
  expect(readMetrics(body)).toEqual({
    ...NOTHING,
    totalThreats: 5,
    otherFields: [{ path: 'plan', value: 'Enterprise' }],
  })
})

test('does not mistake the name of a category for a figure', () => {
  const body = { categories: { Today: 4, 'Total threats': 6 }, countries: 2 }
  expect(readMetrics(body)).toMatchObject({ totalThreats: null, requestsToday: null, countriesMonitored: 2 })
})

test.each([[null], ['text'], [[5]], [{}], [{ error: 'no' }], [{ metrics: { plan: 'Enterprise' } }]])(
  'reads none from %j',
  (body) => {
    expect(readMetrics(body)).toBeNull()
  },
)
