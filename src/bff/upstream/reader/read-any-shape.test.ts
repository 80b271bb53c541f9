import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listedActorSchema } from '#contract/bff/actor.ts'
import { countryStatisticsSchema } from '#contract/bff/country.ts'
import { metricsSchema } from '#contract/bff/metrics.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import { Random } from '#test/support/random.ts'
import { mutate } from '#test/support/vendor-shapes/mutate.ts'
import { shapeActors } from '#test/support/vendor-shapes/shape-actors.ts'
import { shapeCountry } from '#test/support/vendor-shapes/shape-country.ts'
import { shapeMetrics } from '#test/support/vendor-shapes/shape-metrics.ts'
import { shapeThreat, THREAT_ID } from '#test/support/vendor-shapes/shape-threat.ts'
import { readActorList } from './read-actor-list.ts'
import { readCountryStatistics } from './read-country-statistics.ts'
import { readMetrics } from './read-metrics.ts'
import { readThreatRecord } from './read-threat-record.ts'

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed)
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
    const country = readCountryStatistics('DE', body, NOW_MS)
    const hasFigure = Object.values(expected).some((value) => value !== null && String(value) !== '')
    if (!hasFigure) continue
    const { otherFields = [], code, name, ...found } = country ?? {}
    const others = otherFields.map(({ value }) => value)
    expect(sorted({ ...found, others }), `seed ${seed}: ${JSON.stringify(body)}`).toEqual(sorted(expected))
    expect([code, name]).toEqual(['DE', 'Germany'])
  }
})

test('finds in a v1 detail of any shape what is there, and invents nothing', () => {
  for (const seed of SEEDS) {
    const { body, expected } = shapeThreat(new Random(seed))
    const record = readThreatRecord('v1', THREAT_ID, body)
    expect(sorted(record ?? {}), `seed ${seed}: ${JSON.stringify(body)}`).toMatchObject(
      sorted(expected.found),
    )
    const others = record?.otherFields.map(({ value }) => value).toSorted()
    expect(others, `seed ${seed}: ${JSON.stringify(body)}`).toEqual(expected.others.toSorted())
  }
})

test('finds in metrics of any shape what is there, and invents nothing', () => {
  for (const seed of SEEDS) {
    const { body, expected } = shapeMetrics(new Random(seed))
    expect(readMetrics(body), `seed ${seed}: ${JSON.stringify(body)}`).toEqual(expected)
  }
})

test('reads hostile changes of all of them without an error, into what the contract permits', () => {
  for (const seed of SEEDS) {
    const random = new Random(seed)
    const hostile = (body: unknown) => mutate(random, body)
    const list = readActorList(hostile(shapeActors(random).body))
    const country = readCountryStatistics('DE', hostile(shapeCountry(random, NOW_MS).body), NOW_MS)
    const metrics = readMetrics(hostile(shapeMetrics(random).body))
    const threat = readThreatRecord('v1', THREAT_ID, hostile(shapeThreat(random).body))

    z.array(listedActorSchema).parse(list?.actors ?? [])
    z.nullable(countryStatisticsSchema).parse(country)
    z.nullable(metricsSchema).parse(metrics)
    z.nullable(threatSchema).parse(threat)
    // The record as it came is text in text.
    const read = JSON.stringify([list, country, metrics, { ...threat, json: '' }])
    expect(read, `seed ${seed}`).not.toMatch(/\\u(?:0000|d[89a-f])/)
  }
})

test('reads only a bounded part of a record that is far too large', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, { a: at, b: 'x' }]))
  const country = readCountryStatistics('DE', { threats: 5, ...many, victims: 6 }, NOW_MS)
  expect(country).toMatchObject({ threats: 5, victims: null })
  expect(country?.otherFields).toHaveLength(200)
})

/** Maps have an order of their own, and what is left over none. */
function sorted(read: object): object {
  const inOrder = (value: unknown) =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, inOrder(value)]))
}
