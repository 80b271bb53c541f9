import { expect, test } from 'vitest'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import type { Parts } from '#bff/time/same-part.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { SeenCategories } from '#bff/vendor/seen-categories.ts'
import { actorAnswerSchema, actorListSchema } from '#contract/bff/actor.ts'
import type { Comparison } from '#contract/bff/comparison.ts'
import { countryAnswerSchema, countryListSchema } from '#contract/bff/country.ts'
import { overviewSchema } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { Random } from '#test/support/random.ts'
import { holdThreats, makeThreat } from '#test/support/window/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const HELD_DAYS = 64
const NEVER = new UpstreamError({ set: null, kind: 'unavailable', reason: 'a figure leads past the window' })

/** Records of two months up to some days that are still to come, and some that do not say when. */
function makeThreats(now: string): Threat[] {
  const random = new Random(29)
  const threats = Array.from({ length: 600 }, (_, at) => {
    const time = Date.parse(now) + 3 * DAY_MS - random.below((HELD_DAYS + 2) * 24 * 60) * MINUTE_MS
    return makeThreat(`t-${at}`, new Date(time).toISOString(), {
      actors: [random.pick(['Ashfall', 'Mirelock', 'Quillon'])],
      countries: [{ code: random.pick(['US', 'DE', 'JP']), name: 'named by its code' }],
      industries: [random.pick(['Energy', 'Retail'])],
      severity: random.pick(['critical', 'low']),
      category: random.pick(['Ransomware', 'DDoS']),
    })
  })
  const undated = Array.from({ length: 9 }, (_, at) =>
    makeThreat(`u-${at}`, now, { publishedAt: null, countries: [{ code: 'US', name: 'United States' }] }),
  )
  return [...undated, ...threats.toSorted((a, b) => ((a.publishedAt ?? '') < (b.publishedAt ?? '') ? 1 : -1))]
}

/** The pages' routes on one window, beside a vendor that must not be asked. */
async function start(database: OpenDatabase, { now, timeZone }: { now: string; timeZone: string }) {
  const from = new Date(Date.parse(now) - HELD_DAYS * DAY_MS).toISOString()
  const { clock, store, readSearch, readTallies } = await holdThreats(database, {
    now,
    from,
    threats: makeThreats(now),
  })
  const never = async () => {
    throw NEVER
  }
  const upstream = {
    call: never,
    state: never,
    generation: () => 0,
    permittedSets: () => [],
    closedSets: () => ({}),
  }
  const deps = {
    upstream,
    clock,
    store,
    database,
    readTallies,
    kind: 'vendor' as const,
    secret: 'of the tests',
  }
  const categories = () => new SeenCategories()
  const bff = await createTestBff(database, {
    routes: [
      ...overviewRoutes(deps),
      ...trendRoutes(deps),
      ...actorRoutes(deps),
      ...countryRoutes(deps),
      ...threatRoutes({
        ...deps,
        readSearch,
        categories,
        readThreat: never,
        findStored: async () => null,
        listedThreats: { remember: async () => {} },
      }),
    ],
  })
  await bff.signIn()
  const ask = async (path: string, query: Query = {}) => {
    const search = new URLSearchParams({ ...query, timeZone })
    return (await bff.ask(`/bff/${path}?${search}`)).json()
  }
  const listed = async (query: Query) => threatListSchema.parse(await ask('threats', query)).total
  return { ask, listed }
}

type Query = Record<string, string>
/** What a page says, and the list that it leads to. */
type Figure = { says: number | null; query: Query }

const MONTH = { within: '30d' }
const WEEK = { within: '7d' }

type Ask = Awaited<ReturnType<typeof start>>['ask']

async function overviewFigures(ask: Ask): Promise<Figure[]> {
  const { day, week, month, top } = overviewSchema.parse(await ask('overview'))
  return [
    ...[day, week, month].flatMap(({ count, compared, since, until }) => [
      { says: count, query: { since, until } },
      ...comparedFigures(compared, { ...compared, since }),
    ]),
    { says: week.count, query: WEEK },
    { says: month.count, query: MONTH },
    ...Object.entries(top).flatMap(([name, ranked]) =>
      ranked.flatMap(({ value, count, compared }) => [
        { says: count, query: { [name]: value, ...MONTH } },
        ...comparedFigures(compared, { ...month.compared, since: month.since }, { [name]: value }),
      ]),
    ),
  ]
}

/** Both counts of a comparison, each with the list of its time. */
function comparedFigures(
  compared: Comparison | null,
  { since, until, previousSince, previousUntil }: Partial<Record<keyof Parts, string>>,
  query: Query = {},
): Figure[] {
  if (!compared || !since || !until || !previousSince || !previousUntil)
    throw new Error('Nothing is compared')
  return [
    { says: compared.count, query: { ...query, since, until } },
    { says: compared.previous, query: { ...query, since: previousSince, until: previousUntil } },
  ]
}

async function trendFigures(ask: Ask): Promise<Figure[]> {
  const { month } = overviewSchema.parse(await ask('overview'))
  const { trend } = trendAnswerSchema.parse(await ask('trends', { by: 'category', country: 'US' }))
  const US = { country: 'US' }
  return [
    { says: trend.total, query: { ...US, ...MONTH } },
    ...comparedFigures(trend.compared, { ...month.compared, since: month.since }, US),
    ...[...trend.previous, ...trend.days].map(({ count, from: since, to: until }) => ({
      says: count,
      query: { ...US, since, until },
    })),
    ...trend.series.map(({ value, counts }) => ({
      says: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      query: { ...US, category: value, ...MONTH },
    })),
  ]
}

async function actorFigures(ask: Ask): Promise<Figure[]> {
  const { actors } = actorListSchema.parse(await ask('actors'))
  const figures = actors.flatMap(({ name, mentions, week }) => [
    { says: mentions, query: { actor: name, ...MONTH } },
    { says: week?.count ?? null, query: { actor: name, ...WEEK } },
  ])
  const { actor } = actorAnswerSchema.parse(await ask('actors/Ashfall'))
  return [
    ...figures,
    { says: actor.mentions, query: { actor: 'Ashfall', ...MONTH } },
    ...actor.countries.map(({ value, count }) => ({
      says: count,
      query: { actor: 'Ashfall', country: value, ...MONTH },
    })),
  ]
}

async function countryFigures(ask: Ask): Promise<Figure[]> {
  const { countries } = countryListSchema.parse(await ask('countries'))
  const { window } = countryAnswerSchema.parse(await ask('countries/US'))
  return [
    ...countries.map(({ code, threats }) => ({ says: threats, query: { country: code, ...MONTH } })),
    { says: window?.threats ?? null, query: { country: 'US', ...MONTH } },
    ...(window?.topIndustries ?? []).map(({ value, count }) => ({
      says: count,
      query: { country: 'US', industry: value, ...MONTH },
    })),
  ]
}

test.each([
  // Clocks went back on the 1st of November in Los Angeles, and forward on the 27th of September in Auckland.
  ['America/Los_Angeles', '2026-11-22T07:30:00.000Z'],
  ['America/Los_Angeles', '2026-11-02T08:10:00.000Z'],
  ['Pacific/Auckland', '2026-10-20T11:30:00.000Z'],
  ['Pacific/Auckland', '2026-09-27T13:20:00.000Z'],
  ['Asia/Kolkata', '2026-11-21T18:40:00.000Z'],
])('every figure of a reader in %s at %s is the count of the list that it leads to', (timeZone, now) =>
  withDatabase('bff', async (database) => {
    const { ask, listed } = await start(database, { now, timeZone })
    const pages = [overviewFigures, trendFigures, actorFigures, countryFigures]
    const figures = (await Promise.all(pages.map((figuresOf) => figuresOf(ask)))).flat()
    expect(figures.length).toBeGreaterThan(100)
    for (const { says, query } of figures) expect([query, says]).toEqual([query, await listed(query)])
  })(),
)

test(
  'one actor has one change, and one country one number, on all pages',
  withDatabase('bff', async (database) => {
    const { ask } = await start(database, {
      now: '2026-11-22T07:30:00.000Z',
      timeZone: 'America/Los_Angeles',
    })
    const { top } = overviewSchema.parse(await ask('overview'))
    const { actors } = actorListSchema.parse(await ask('actors'))
    const { countries } = countryListSchema.parse(await ask('countries'))
    const { trend } = trendAnswerSchema.parse(await ask('trends', { actor: 'Ashfall' }))
    const onOverview = top.actor.find(({ value }) => value === 'Ashfall')
    const onActors = actors.find(({ name }) => name === 'Ashfall')
    const { count, compared } = onOverview ?? {}
    expect([onActors?.mentions, onActors?.compared]).toEqual([count, compared])
    expect([trend.total, trend.compared]).toEqual([count, compared])
    expect(countries.map(({ code, threats, compared }) => [code, threats, compared])).toEqual(
      top.country.map(({ value, count, compared }) => [value, count, compared]),
    )
  }),
)
