import { expect, test } from 'vitest'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { countryAnswerSchema, countryListSchema } from '#contract/bff/country.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { StubUpstream } from '#test/support/stub-upstream.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { countryRoutes } from './country-routes.ts'

const NOW = '2026-04-10T12:00:00.000Z'

const GERMANY = {
  data: {
    country: { code: 'DE', name: 'Germany' },
    counts: { threats: 40, actors: 7, victims: '39' },
    top: { actors: { LockBit: 9, Play: 4 }, industries: ['Energy', 'Retail'] },
    trend: { '2026-01-02': 3, '2026-01-01': 1 },
    summary: { text: 'Mostly ransomware.', generated_at: '2026-01-02T00:00:00Z' },
  },
  meta: { cached: true },
}

const FRANCE = [{ code: 'FR', name: 'France' }]
const THREATS = [
  makeThreat('a', '2026-04-09T01:00:00.000Z', { organizations: ['Northwind'], industries: ['Energy'] }),
  makeThreat('b', '2026-04-08T01:00:00.000Z', { organizations: ['NORTHWIND', 'Contoso'], actors: ['Play'] }),
  makeThreat('c', '2026-04-08T02:00:00.000Z', { organizations: ['Fabrikam'], countries: FRANCE }),
  makeThreat('d', '2026-03-01T01:00:00.000Z', {}),
  makeThreat('e', '2026-04-08T02:00:00.000Z', { countries: [{ code: null, name: 'Atlantis' }] }),
]

type Given = { threats?: readonly Threat[]; answer?: () => unknown }

async function start(database: OpenDatabase, { threats = [], answer = () => GERMANY }: Given) {
  const upstream = new StubUpstream(answer)
  const from = '2026-01-01T00:00:00.000Z'
  const { clock, store } = await holdThreats(database, { now: NOW, from, threats })
  const bff = await createTestBff(database, {
    routes: countryRoutes({ ...upstream.dependencies, clock, store }),
  })
  await bff.signIn()
  const one = async (name: string) =>
    countryAnswerSchema.parse(await (await bff.ask(`/bff/countries/${name}`)).json())
  return { ...bff, upstream, one }
}

function refuse(kind: UpstreamError['kind']) {
  return () => {
    throw new UpstreamError({ set: 'v1', kind, reason: 'refused' })
  }
}

test(
  'lists the stored countries with threats, actors and victims, without a call',
  withDatabase('bff', async (database) => {
    const { ask, upstream } = await start(database, { threats: THREATS })
    const { countries, days } = countryListSchema.parse(await (await ask('/bff/countries')).json())
    expect(countries).toMatchObject([
      { code: 'DE', threats: 2, compared: { count: 2, previous: 1 }, actors: 2, victims: 2 },
      { code: 'FR', threats: 1, compared: { count: 1, previous: 0 }, actors: 1, victims: 1 },
    ])
    const counted = days.flatMap(({ date }, at) => (countries[0]?.counts[at] ? [date] : []))
    expect(counted).toEqual(['2026-04-08', '2026-04-09'])
    expect(upstream.calls).toEqual([])
  }),
)

test(
  'counts the threats of the reader’s own countries in own industries, and of no other country',
  withDatabase('bff', async (database) => {
    const { ask, one } = await start(database, { threats: THREATS })
    const concerns = async (query: string) => {
      const { countries } = countryListSchema.parse(await (await ask(`/bff/countries${query}`)).json())
      return countries.map((country) => [country.code, country.concerns])
    }
    expect(await concerns('?country=DE&industry=Energy')).toEqual([
      ['DE', 1],
      ['FR', null],
    ])
    expect(await concerns('?country=FR&country=DE&industry=Energy')).toEqual([
      ['DE', 1],
      ['FR', 0],
    ])
    for (const query of ['', '?country=DE', '?industry=Energy'])
      expect((await concerns(query)).flatMap(([, count]) => count ?? [])).toEqual([])
    expect(await one('DE?country=DE&industry=Energy')).toMatchObject({ window: { concerns: 1 } })
    expect(await one('DE')).toMatchObject({ window: { concerns: null } })
  }),
)

test(
  'reports that it cannot count while no threats are stored',
  withDatabase('bff', async (database) => {
    const { ask } = await start(database, {})
    expect((await readProblem(await ask('/bff/countries'))).code).toBe('window_empty')
  }),
)

test(
  'joins the window’s figures with the vendor’s own, for one call by code or name',
  withDatabase('bff', async (database) => {
    const { one, upstream } = await start(database, { threats: THREATS })

    const { code, window, statistics, absent } = await one('Germany')

    expect(code).toBe('DE')
    expect(window).toMatchObject({
      threats: 2,
      compared: { count: 2, previous: 1 },
      latestAt: '2026-04-09T01:00:00.000Z',
      topActors: [
        { value: 'Ashfall', count: 1 },
        { value: 'Play', count: 1 },
      ],
      topIndustries: [{ value: 'Energy', count: 1 }],
    })
    expect(statistics).toEqual({
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
    expect(absent).toBeNull()
    await one('de?timeZone=Asia/Tokyo')
    expect(upstream.calls).toEqual([{ name: 'readCountry', params: { country: 'DE' }, priority: 'person' }])
  }),
)

test(
  'answers from the window alone, and says why the vendor’s own part is absent',
  withDatabase('bff', async (database) => {
    const kinds = ['not_found', 'daily_limit_reached', 'set_forbidden', 'unreadable'] as const
    const answers = kinds.map(refuse)
    const { one } = await start(database, { threats: THREATS, answer: () => answers.shift()?.() })
    for (const [code, threats] of [
      ['DE', 2],
      ['FR', 1],
      ['JP', 0],
      ['IT', 0],
    ] as const) {
      expect(await one(code)).toMatchObject({
        window: { code, threats },
        statistics: null,
        absent: { isComing: false, reason: expect.stringMatching(/\w/) },
      })
    }
    expect(answers).toEqual([])
  }),
)

test(
  'does not keep a reader waiting for a slow source, and has its part soon after',
  withDatabase('bff', async (database) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { one, upstream } = await start(database, { threats: THREATS, answer: () => promise })
    const first = await one('DE')
    expect(first).toMatchObject({ window: { threats: 2 }, statistics: null, absent: { isComing: true } })
    resolve(GERMANY)
    expect(await one('DE')).toMatchObject({ statistics: { threats: 40 }, absent: null })
    expect(upstream.calls).toHaveLength(1)
  }),
)

test(
  'answers 404 for a country without statistics, and requests them once',
  withDatabase('bff', async (database) => {
    const { ask, upstream } = await start(database, { threats: THREATS, answer: refuse('not_found') })

    const problem = await readProblem(await ask('/bff/countries/Atlantis'))
    await ask('/bff/countries/Atlantis')

    expect(problem).toMatchObject({
      code: 'not_found',
      detail: 'The vendor has no statistics for this country.',
    })
    expect(upstream.calls).toHaveLength(1)
  }),
)

test(
  'sends no request for an invalid country, and shows no other country than requested',
  withDatabase('bff', async (database) => {
    const { ask, upstream } = await start(database, { answer: () => ({ country_code: 'FR', threats: 3 }) })

    for (const path of ['..%2Fadmin', '%2e%2e%2fx', 'D', 'a%00b', '%3Fx%3D1']) {
      expect((await ask(`/bff/countries/${path}`)).status).toBeOneOf([400, 404])
    }
    expect(upstream.calls).toEqual([])
    expect((await readProblem(await ask('/bff/countries/DE'))).code).toBe('upstream_unreadable')
  }),
)
