import { expect, test } from 'vitest'
import { COUNTRY_CODES } from '#contract/country.ts'
import { DAY_MS } from '#contract/duration.ts'
import { threatRecordSchema } from '#service/threats/threat-record.ts'
import { NOW } from '#test/support/service/open-service-client.ts'
import { DEMO_NOTE, generateDemo } from './generate-demo.ts'

const now = new Date(NOW)
const threats = generateDemo(now)
const ages = threats.map(({ publishedAt }) => (now.getTime() - Date.parse(publishedAt)) / DAY_MS)

function countBy<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]) {
  const counts = new Map<string, number>()
  for (const key of items.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

test('makes the same records for the same time, and the same texts at any time', () => {
  expect(generateDemo(now)).toEqual(threats)
  const withoutDate = ({ publishedAt, ...rest }: (typeof threats)[number]) => rest
  expect(generateDemo(new Date('2031-01-01T00:00:00Z')).map(withoutDate)).toEqual(threats.map(withoutDate))
})

test('makes 5,000 records that the service takes as they are, each its own', () => {
  expect(threats).toHaveLength(5000)
  expect(threats.map((threat) => threatRecordSchema.parse(threat))).toEqual(threats)
  expect(new Set(threats.map(({ sourceId }) => sourceId)).size).toBe(5000)
})

test('fills the 120 days up to now, and nothing after', () => {
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
  expect(Math.min(...ages)).toBeLessThan(0.1)
  expect(Math.max(...ages)).toBeLessThanOrEqual(120)
  const days = countBy(ages, (age) => [`${Math.floor(age)}`])
  expect(days.size).toBe(120)
})

test('has the skew of a real feed: few busy actors and countries, many quiet ones', () => {
  const actors = countBy(threats, ({ threatActors }) => threatActors)
  const countries = countBy(threats, ({ countries }) => countries)
  const categories = countBy(threats, ({ category }) => [category])

  expect(actors.size).toBe(60)
  expect(countries.size).toBe(90)
  expect([...countries.keys()].filter((code) => !COUNTRY_CODES.includes(code))).toEqual([])
  expect([...categories.keys()].toSorted()).toEqual([
    'DDoS',
    'Data Breach',
    'Initial Access',
    'Other',
    'Ransomware',
  ])
  expect(countries.get('US')).toBeGreaterThan(10 * (countries.get('MT') ?? 0))
})

test('keeps office hours, and strikes in bursts', () => {
  const weekdays = countBy(threats, ({ publishedAt }) => [`${new Date(publishedAt).getUTCDay()}`])
  expect(weekdays.get('0')).toBeLessThan((weekdays.get('2') ?? 0) * 0.7)

  const busiest = threats.filter(({ threatActors }) => threatActors.includes('glassheron'))
  const days = countBy(busiest, ({ publishedAt }) => [publishedAt.slice(0, 10)])
  expect(Math.max(...days.values())).toBeGreaterThan((4 * busiest.length) / 120)
})

test('says plainly that it is a demo, and names nothing that exists', () => {
  for (const { isDemo, content, analysis, domains, sourceUrl } of threats) {
    expect(isDemo).toBe(true)
    expect(content.endsWith(DEMO_NOTE)).toBe(true)
    expect(analysis?.summary.endsWith(DEMO_NOTE)).toBe(true)
    for (const domain of domains) expect(domain).toMatch(/\.example(?:\.(?:com|net|org))?$/)
    expect(sourceUrl ?? 'javascript:').toMatch(
      /^http:\/\/demo-[a-z0-9-]+-not-a-real-address\.onion\/|^javascript:/,
    )
  }
})
