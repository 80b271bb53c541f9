import { expect, test } from 'vitest'
import { upstreamTarget } from './upstream-target.ts'

test.each([
  ['DE', '/api/v1/countries/DE'],
  ['United States', '/api/v1/countries/United%20States'],
  ['Côte d’Ivoire', '/api/v1/countries/C%C3%B4te%20d%E2%80%99Ivoire'],
  ['Bonaire & Saba, (NL)', '/api/v1/countries/Bonaire%20%26%20Saba%2C%20(NL)'],
])('names the country %s in one segment of the path', (country, path) => {
  expect(upstreamTarget('readCountry', { country })).toBe(path)
})

test.each(['..', '.', '../admin', 'a/b', 'DE?x=1', 'a\\b', '%2e%2e', 'D\ud800', 'D\n', ''])(
  'refuses %j in a path',
  (country) => {
    expect(() => upstreamTarget('readCountry', { country })).toThrow()
  },
)

test('sends actors a limit, and nothing that the table does not name', () => {
  expect(upstreamTarget('listActors', { query: { limit: 50 } })).toBe('/api/v1/threat-actors?limit=50')
  expect(() => upstreamTarget('readMetrics', { query: { limit: 50 } })).toThrow('no parameter')
})
