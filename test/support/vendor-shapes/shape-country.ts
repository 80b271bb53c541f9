import type { Random } from '#test/support/random.ts'
import { type Counted, envelop, nest, shapeCounted, shapeTrend, styleOf } from './shapes.ts'

export type ExpectedCountry = {
  threats: number | null
  actors: number | null
  victims: number | null
  topActors: Counted[]
  topIndustries: Counted[]
  trend: { date: string; count: number }[]
  summary: string | null
  others: string[]
}

/** Statistics of Germany in a shape by chance, and what a reader must find in them. */
export function shapeCountry(random: Random, nowMs: number): { body: unknown; expected: ExpectedCountry } {
  const style = styleOf(random)
  const parts = [
    ...(['threats', 'actors', 'victims'] as const).map((member) => {
      const read = random.below(90_000)
      const value: unknown = random.pick<unknown>([read, String(read)])
      return { member, name: random.pick([member, `${member} count`, `total ${member}`]), value, read }
    }),
    {
      member: 'topActors',
      name: random.pick(['top actors', 'top threat actors', 'most active groups']),
      ...shapeCounted(random, random.some(['LockBit', '888', 'Play', '__proto__ ', 'Threats'])),
    },
    {
      member: 'topIndustries',
      name: random.pick(['top industries', 'top sectors', 'industries']),
      ...shapeCounted(random, random.some(['Energy', 'Retail', 'Victims', 'Health care'])),
    },
    {
      member: 'trend',
      name: random.pick(['trend', 'trend 30d', 'daily', 'whatever']),
      ...shapeTrend(random, nowMs),
    },
    {
      member: 'summary',
      name: random.pick(['summary', 'cached summary', 'overview']),
      value: 'Mostly 12 groups since 2024-01-01.',
      read: 'Mostly 12 groups since 2024-01-01.',
    },
  ]
  const kept = parts.filter(() => random.chance(0.85))
  const found = new Map<string, unknown>(kept.map(({ member, read }) => [member, read]))
  const hasExtra = random.chance(0.7)
  const members = Object.fromEntries(kept.map(({ name, value }) => [style(name), value]))
  const country = random.pick<Record<string, unknown>>([
    { country: 'Germany', [style('country code')]: 'DE' },
    { code: 'de', name: 'Germany' },
    { country: { code: 'DE', name: 'Germany' } },
    { country: 'Germany' },
  ])
  const extra = { [style('generated at')]: '2026-01-01T00:00:00Z', risk: { level: 'high', score: 7 } }
  const whole = nest(random, { ...members, ...(hasExtra && extra) }, Object.keys(members))
  const body = { ...country, ...whole }
  return {
    body:
      random.chance(0.5) && !('country' in country)
        ? envelop(random, 'country', body)
        : envelop(random, 'statistics', body),
    expected: {
      ...Object.fromEntries(
        ['threats', 'actors', 'victims', 'summary'].map((name) => [name, found.get(name) ?? null]),
      ),
      ...Object.fromEntries(
        ['topActors', 'topIndustries', 'trend'].map((name) => [name, found.get(name) ?? []]),
      ),
      others: hasExtra ? ['2026-01-01T00:00:00Z', 'high', '7'] : [],
    } as ExpectedCountry,
  }
}
