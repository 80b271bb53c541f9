import { expect, test } from 'vitest'
import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import { countryAnswerSchema } from '#contract/bff/country.ts'
import { createTestBff, readProblem } from '../../../test/support/ask-bff.ts'
import { StubUpstream } from '../../../test/support/stub-upstream.ts'
import { withDatabase } from '../../../test/support/with-database.ts'
import { countryRoutes } from './country-routes.ts'

test(
  'reads a country by code or name as one question',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => ({
      data: {
        country: { code: 'DE', name: 'Germany' },
        counts: { threats: 40, actors: 7, victims: '39' },
        top: { actors: { LockBit: 9, Play: 4 }, industries: ['Energy', 'Retail'] },
        trend: { '2026-01-02': 3, '2026-01-01': 1 },
        summary: { text: 'Mostly ransomware.', generated_at: '2026-01-02T00:00:00Z' },
      },
      meta: { cached: true },
    }))
    const bff = await createTestBff(database, { routes: countryRoutes(upstream.dependencies) })
    await bff.signIn()

    const { country } = countryAnswerSchema.parse(await (await bff.ask('/bff/countries/Germany')).json())

    expect(country).toEqual({
      code: 'DE',
      name: 'Germany',
      threats: 40,
      actors: 7,
      victims: 39,
      topActors: [
        { name: 'LockBit', count: 9 },
        { name: 'Play', count: 4 },
      ],
      topIndustries: [
        { name: 'Energy', count: null },
        { name: 'Retail', count: null },
      ],
      trend: [
        { date: '2026-01-01', count: 1 },
        { date: '2026-01-02', count: 3 },
      ],
      summary: 'Mostly ransomware.',
      otherFields: [{ path: 'summary.generated_at', value: '2026-01-02T00:00:00Z' }],
    })
    await bff.ask('/bff/countries/de')
    expect(upstream.calls).toEqual([{ name: 'readCountry', params: { country: 'DE' }, priority: 'person' }])
  }),
)

test(
  'says that there are no statistics, and asks once',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => {
      throw new UpstreamError({ set: 'v1', kind: 'not_found', reason: 'status 404' })
    })
    const bff = await createTestBff(database, { routes: countryRoutes(upstream.dependencies) })
    await bff.signIn()

    const problem = await readProblem(await bff.ask('/bff/countries/Atlantis'))
    await bff.ask('/bff/countries/Atlantis')

    expect(problem).toMatchObject({
      code: 'not_found',
      detail: 'The source has no statistics for this country.',
    })
    expect(upstream.calls).toHaveLength(1)
  }),
)

test(
  'asks nothing for what cannot be a country, and shows no other country than the one asked for',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => ({ country_code: 'FR', threats: 3 }))
    const bff = await createTestBff(database, { routes: countryRoutes(upstream.dependencies) })
    await bff.signIn()

    for (const path of ['..%2Fadmin', '%2e%2e%2fx', 'D', 'a%00b', '%3Fx%3D1']) {
      expect((await bff.ask(`/bff/countries/${path}`)).status).toBeOneOf([400, 404])
    }
    expect(upstream.calls).toEqual([])
    expect((await readProblem(await bff.ask('/bff/countries/DE'))).code).toBe('upstream_unreadable')
  }),
)
