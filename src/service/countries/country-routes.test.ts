import { expect, test } from 'vitest'
import { v1CountryAnswerSchema } from '#contract/upstream/v1/country.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'

const threats = [
  makeThreat({
    countries: ['DE'],
    threatActors: ['glassheron'],
    industries: ['Energy', 'Retail'],
    organizations: ['Northwind'],
    publishedAt: '2026-06-15T11:00:00.000Z',
  }),
  makeThreat({
    countries: ['FR', 'DE'],
    threatActors: ['glassheron', 'inkwell'],
    industries: ['Retail'],
    organizations: ['Northwind', 'Contoso'],
    publishedAt: '2026-06-14T11:00:00.000Z',
  }),
  makeThreat({ countries: ['DE'], publishedAt: '2026-05-17T00:00:00.000Z' }),
  makeThreat({ countries: ['DE'], organizations: ['Contoso'], publishedAt: '2020-05-17T00:00:00.000Z' }),
]

test(
  'counts threats, actors and victims of a country, and draws its last thirty days',
  withDatabase('service', async (database) => {
    await insertThreats(database, threats)
    const { get } = await openServiceClient(database)

    const { data } = await get('/api/v1/countries/germany', v1CountryAnswerSchema)

    expect(data).toMatchObject({
      country: 'Germany',
      country_code: 'DE',
      threats: 4,
      actors: 2,
      victims: 2,
      top_actors: [
        { name: 'glassheron', count: 2 },
        { name: 'inkwell', count: 1 },
      ],
      top_industries: [
        { name: 'Retail', count: 2 },
        { name: 'Energy', count: 1 },
      ],
      summary: null,
    })
    expect(data.trend).toHaveLength(30)
    expect(data.trend[0]).toEqual({ date: '2026-05-17', threats: 1 })
    expect(data.trend[1]).toEqual({ date: '2026-05-18', threats: 0 })
    expect(data.trend.at(-1)).toEqual({ date: '2026-06-15', threats: 1 })
  }),
)

test(
  'counts each record that names a victim as one where the names are redacted',
  withDatabase('service', async (database) => {
    await insertThreats(database, threats)
    const { get } = await openServiceClient(database, { v1Plan: 'trial' })
    const { data } = await get('/api/v1/countries/DE', v1CountryAnswerSchema)
    expect(data).toMatchObject({ threats: 2, victims: 2 })
  }),
)

test(
  'answers 404 for a country without records within the data window of the key',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ countries: ['SE'], publishedAt: '2020-01-01T00:00:00.000Z' }),
    ])
    const { get, fail } = await openServiceClient(database)
    const trial = await openServiceClient(database, { v1Plan: 'trial' })
    const refusal = [404, 'No statistics for this country']

    expect((await get('/api/v1/countries/SE', v1CountryAnswerSchema)).data.threats).toBe(1)
    expect(await trial.fail('/api/v1/countries/SE')).toEqual(refusal)
    expect(await fail('/api/v1/countries/NO')).toEqual(refusal)
    expect(await fail('/api/v1/countries/Atlantis')).toEqual(refusal)
  }),
)

test(
  'finds a country without a code by the text of its records',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ countries: ['Atlantis'] }),
      makeThreat({ countries: ['Burma'] }),
      makeThreat({ countries: ['LA'] }),
    ])
    const { get, fail } = await openServiceClient(database)
    const ask = async (text: string) => (await get(`/api/v1/countries/${text}`, v1CountryAnswerSchema)).data

    expect(await ask('ATLANTIS')).toMatchObject({ country: 'ATLANTIS', country_code: '', threats: 1 })
    // Kept as text by a version that did not know the name.
    expect(await ask('Burma')).toMatchObject({ country: 'Myanmar (Burma)', country_code: 'MM', threats: 1 })
    expect(await ask("Lao%20People's%20Democratic%20Republic")).toMatchObject({
      country_code: 'LA',
      threats: 1,
    })
    expect(await fail('/api/v1/countries/Lemuria')).toEqual([404, 'No statistics for this country'])
  }),
)
