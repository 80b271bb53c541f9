import { expect, test } from 'vitest'
import { Random } from '../../../test/support/random.ts'
import { shapeActors } from '../../../test/support/vendor-shapes/shape-actors.ts'
import { shapeCountry } from '../../../test/support/vendor-shapes/shape-country.ts'
import { readActorList } from './read-actor-list.ts'
import { readCountryStatistics } from './read-country-statistics.ts'

const SEEDS = Array.from({ length: 3_000 }, (_, seed) => seed)
const NOW_MS = Date.parse('2026-03-01T10:00:00Z')

test('finds in actors of any shape what is there, and invents nothing', () => {
  for (const seed of SEEDS) {
    const { body, expected } = shapeActors(new Random(seed))
    const list = readActorList(body)
    const found = list?.actors.map(({ otherFields, ...actor }) => ({
      ...actor,
      others: otherFields.map(({ value }) => value),
    }))
    expect(found?.map(sorted), `seed ${seed}: ${JSON.stringify(body)}`).toEqual(expected.map(sorted))
    expect(list?.unreadable).toBe(0)
  }
})

test('finds in country statistics of any shape what is there, and invents nothing', () => {
  for (const seed of SEEDS) {
    const { body, expected } = shapeCountry(new Random(seed), NOW_MS)
    const country = readCountryStatistics('DE', body, { nowMs: NOW_MS })
    const hasFigure = Object.values(expected).some((value) => value !== null && String(value) !== '')
    if (!hasFigure) continue
    const { otherFields = [], code, name, ...found } = country ?? {}
    const others = otherFields.map(({ value }) => value)
    expect(sorted({ ...found, others }), `seed ${seed}: ${JSON.stringify(body)}`).toEqual(sorted(expected))
    expect([code, name]).toEqual(['DE', 'Germany'])
  }
})

/** Maps have an order of their own, and what is left over none. */
function sorted(read: object): object {
  const inOrder = (value: unknown) =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, inOrder(value)]))
}
