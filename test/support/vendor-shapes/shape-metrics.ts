import type { Random } from '#test/support/random.ts'
import { envelop, type Members, nest, shapeCounted, shapeTime, styleOf } from './shapes.ts'

/** The documented metrics, some missing, and what a reader must find in them. */
export function shapeMetrics(random: Random): { body: unknown; expected: Members } {
  const style = styleOf(random)
  const time = shapeTime(random)
  const count = (member: string, name: string) => {
    const read = random.below(90_000)
    return { member, name: style(name), value: random.pick<unknown>([read, String(read)]), read }
  }
  const categories = shapeCounted(random, random.some(['Ransomware', 'DDoS', 'Total threats', 'Today']))
  const figures = [
    count('totalThreats', 'total threats'),
    count('alertsTriggered', 'alerts triggered'),
    count('alertProfiles', 'alert profiles count'),
    count('countriesMonitored', 'countries monitored'),
    { member: 'lastThreatAt', name: style('last threat at'), value: time.value, read: time.read },
  ].filter(() => random.chance(0.8))
  const usage = [count('requestsToday', 'requests today'), count('requestsThisMonth', 'requests this month')]
  const members = Object.fromEntries(figures.map(({ name, value }) => [name, value]))
  const found = new Map<string, unknown>([...figures, ...usage].map(({ member, read }) => [member, read]))
  const names = ['totalThreats', 'alertsTriggered', 'alertProfiles', 'countriesMonitored', 'lastThreatAt']
  const body = {
    ...(figures.length > 0 ? nest(random, members, Object.keys(members)) : {}),
    [style('threat categories')]: categories.value,
    [style('api usage')]: Object.fromEntries(usage.map(({ name, value }) => [name, value])),
    plan: 'Enterprise',
  }
  return {
    body: envelop(random, 'metrics', body),
    expected: {
      ...Object.fromEntries(
        [...names, 'requestsToday', 'requestsThisMonth'].map((name) => [name, found.get(name) ?? null]),
      ),
      categories: categories.read,
      otherFields: [{ path: 'plan', value: 'Enterprise' }],
    },
  }
}
