import { expect, test } from 'vitest'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import type { Parts } from '#bff/time/same-part.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { actorAnswerSchema, actorListSchema } from '#contract/bff/actor.ts'
import type { RowKind } from '#contract/bff/arrangement.ts'
import { countryAnswerSchema, countryListSchema } from '#contract/bff/country.ts'
import { overviewSchema } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { type Comparison, trendAnswerSchema } from '#contract/bff/trend.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { Random } from '#test/support/random.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { makeUpstream } from '#test/support/stub-upstream.ts'
import { withDatabase } from '#test/support/with-database.ts'

/** Longer than the longest period and the one before. */
const HELD_DAYS = 764
const NEVER = new UpstreamError({ set: null, kind: 'unavailable', reason: 'a figure leads past the window' })

/** Records of two months, and of the time before, up to some days that are still to come, and some that do not say when. */
function makeThreats(now: string): Threat[] {
  const random = new Random(29)
  const threats = Array.from({ length: 1_200 }, (_, at) => {
    const days = at % 2 === 0 ? 66 : HELD_DAYS + 2
    const time = Date.parse(now) + 3 * DAY_MS - random.below(days * 24 * 60) * MINUTE_MS
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

const CASES_COUNT = 250
const CLAIMS_MAX_COUNT = 5

/** Most records share a case with others, of any time. */
async function joinClaims(database: OpenDatabase): Promise<void> {
  await database.query('insert into victim_case select from generate_series(1, $1)', [2 * CASES_COUNT])
  await database.query(
    `insert into case_claim (threat_id, case_id, own_id, is_compared)
     select id, at / (1 + at % $1) % $2 + 1, 1, true
       from (select id, row_number() over (order by md5(id)) as at from window_threat) numbered`,
    [CLAIMS_MAX_COUNT, CASES_COUNT],
  )
}

/** The pages' routes on one window, beside a vendor that must not be asked. */
async function openPages(database: OpenDatabase, { now }: { now: string }) {
  const from = new Date(Date.parse(now) - HELD_DAYS * DAY_MS).toISOString()
  const { clock, store } = await holdThreats(database, {
    now,
    from,
    threats: makeThreats(now),
  })
  await joinClaims(database)
  const never = async () => {
    throw NEVER
  }
  const upstream = makeUpstream({
    call: never,
    state: never,
    permittedSets: () => [],
    closedSets: () => ({}),
  })
  const deps = {
    upstream,
    clock,
    store,
    database,
    kind: 'vendor' as const,
    secret: 'of the tests',
  }
  const bff = await createTestBff(database, {
    routes: [
      ...overviewRoutes(deps),
      ...trendRoutes(deps),
      ...actorRoutes(deps),
      ...countryRoutes(deps),
      ...threatRoutes(deps),
    ],
  })
  await bff.signIn()
  return { bff }
}

type Reader = { now: string; timeZone: string; period?: string }

async function start(database: OpenDatabase, reader: Reader) {
  const { bff } = await openPages(database, reader)
  return { of: (rows?: RowKind) => readPages(bff, reader, rows) }
}

type Bff = Awaited<ReturnType<typeof openPages>>['bff']

async function readPages(bff: Bff, { timeZone, period = '30d' }: Reader, rows?: RowKind) {
  const ask = async (path: string, query: Query = {}) => {
    const kind: Query = rows ? { rows } : {}
    const search = new URLSearchParams({ ...kind, ...query, timeZone, ...(path !== 'threats' && { period }) })
    return (await bff.ask(`/bff/${path}?${search}`)).json()
  }
  const listed = async (query: Query) => {
    const { total, cases } = threatListSchema.parse(await ask('threats', query))
    return cases ?? total
  }
  /** The days of the period, as the feed's filter names them. */
  const days = async (): Promise<Query> => {
    const { period: chosen } = overviewSchema.parse(await ask('overview'))
    return { from: chosen.from, to: chosen.to }
  }
  /** What a page shows of a figure. */
  const shown = <Count>({ count, cases }: { count: Count; cases?: Count | undefined }): Count | undefined =>
    rows === 'cases' ? cases : count
  return { ask, listed, shown, days: await days() }
}

type Query = Record<string, string>
/** What a page says, and the list that it leads to. */
type Figure = { says: number | null | undefined; query: Query }

const WEEK = { within: '7d' }

type Pages = Awaited<ReturnType<typeof readPages>>

async function overviewFigures({ ask, days, shown }: Pages): Promise<Figure[]> {
  const { day, week, period, top } = overviewSchema.parse(await ask('overview'))
  return [
    ...[day, week, period].flatMap(({ count, cases, compared, since, until }) => [
      { says: shown({ count, cases }), query: { since, until } },
      ...comparedFigures(shown, compared, { ...compared, since }),
    ]),
    { says: shown(week), query: WEEK },
    { says: shown(period), query: days },
    ...Object.entries(top).flatMap(([name, ranked]) =>
      ranked.flatMap(({ value, count, cases, compared }) => [
        { says: shown({ count, cases }), query: { [name]: value, ...days } },
        ...comparedFigures(shown, compared, { ...period.compared, since: period.since }, { [name]: value }),
      ]),
    ),
  ]
}

/** Both counts of a comparison, each with the list of its time. */
function comparedFigures(
  shown: Pages['shown'],
  compared: Comparison | null,
  { since, until, previousSince, previousUntil }: Partial<Record<keyof Parts, string>>,
  query: Query = {},
): Figure[] {
  if (!compared || !since || !until || !previousSince || !previousUntil)
    throw new Error('Nothing is compared')
  const { count, previous, cases } = compared
  const before = { count: previous, cases: cases?.previous }
  return [
    { says: shown({ count, cases: cases?.count }), query: { ...query, since, until } },
    { says: shown(before), query: { ...query, since: previousSince, until: previousUntil } },
  ]
}

async function trendFigures({ ask, days, shown }: Pages): Promise<Figure[]> {
  const { period } = overviewSchema.parse(await ask('overview'))
  const { trend } = trendAnswerSchema.parse(await ask('trends', { by: 'category', country: 'US' }))
  const US = { country: 'US' }
  return [
    { says: shown({ ...trend, count: trend.total }), query: { ...US, ...days } },
    // A day of cases has only the first claim of each: the list behind it is of all its claims.
    { says: sum(trend.days.map(shown)), query: { ...US, ...days } },
    ...comparedFigures(shown, trend.compared, { ...period.compared, since: period.since }, US),
    ...[...trend.previous, ...trend.days].map(({ count, from: since, to: until }) => ({
      says: count,
      query: { ...US, since, until, rows: 'claims' },
    })),
    ...trend.series.map(({ value, counts, caseCounts }) => ({
      says: sum(shown({ count: counts, cases: caseCounts })),
      query: { ...US, category: value, ...days },
    })),
  ]
}

function sum(counts: readonly (number | null | undefined)[] | undefined): number | undefined {
  return counts?.reduce<number>((all, count) => all + (count ?? 0), 0)
}

async function actorFigures({ ask, days, shown }: Pages): Promise<Figure[]> {
  const { actors } = actorListSchema.parse(await ask('actors'))
  const figures = actors.flatMap(({ name, mentions: count, cases, counts, caseCounts, week }) => [
    { says: shown({ count, cases }), query: { actor: name, ...days } },
    { says: sum(shown({ count: counts, cases: caseCounts })), query: { actor: name, ...days } },
    { says: week && shown(week), query: { actor: name, ...WEEK } },
  ])
  const { actor } = actorAnswerSchema.parse(await ask('actors/Ashfall'))
  return [
    ...figures,
    { says: shown({ ...actor, count: actor.mentions }), query: { actor: 'Ashfall', ...days } },
    ...actor.countries.map(({ value, ...counted }) => ({
      says: shown(counted),
      query: { actor: 'Ashfall', country: value, ...days },
    })),
  ]
}

async function countryFigures({ ask, days, shown }: Pages): Promise<Figure[]> {
  const { countries } = countryListSchema.parse(await ask('countries'))
  const { window } = countryAnswerSchema.parse(await ask('countries/US'))
  return [
    ...countries.map(({ code, threats: count, cases }) => ({
      says: shown({ count, cases }),
      query: { country: code, ...days },
    })),
    { says: window && shown({ ...window, count: window.threats }), query: { country: 'US', ...days } },
    ...(window?.topIndustries ?? []).map(({ value, ...counted }) => ({
      says: shown(counted),
      query: { country: 'US', industry: value, ...days },
    })),
  ]
}

/** Each figure of every page is the count of the list that it leads to. */
async function expectOneNumber(database: OpenDatabase, reader: Reader) {
  const opened = await start(database, reader)
  const all = [overviewFigures, trendFigures, actorFigures, countryFigures]
  for (const rows of [undefined, 'cases'] as const) {
    const pages = await opened.of(rows)
    const figures = (await Promise.all(all.map((figuresOf) => figuresOf(pages)))).flat()
    expect(figures.length).toBeGreaterThan(60)
    for (const { says, query } of figures)
      expect([rows, query, says]).toEqual([rows, query, await pages.listed(query)])
  }
  const pages = await opened.of('cases')
  const { total, cases } = threatListSchema.parse(await pages.ask('threats', pages.days))
  expect(cases).toBeLessThan(total)
  return pages
}

test.each([
  // Clocks went back on the 1st of November in Los Angeles, and forward on the 27th of September in Auckland.
  ['America/Los_Angeles', '2026-11-22T07:30:00.000Z'],
  ['America/Los_Angeles', '2026-11-02T08:10:00.000Z'],
  ['Pacific/Auckland', '2026-10-20T11:30:00.000Z'],
  ['Pacific/Auckland', '2026-09-27T13:20:00.000Z'],
  ['Asia/Kolkata', '2026-11-21T18:40:00.000Z'],
])('every figure for a user in %s at %s equals the count of its linked list', (timeZone, now) =>
  withDatabase('bff', async (database) => {
    const { days, listed } = await expectOneNumber(database, { now, timeZone })
    expect(await listed({ within: '30d' })).toBe(await listed(days))
  })(),
)

test.each([
  ['7d', 'Asia/Kolkata'],
  ['90d', 'America/Los_Angeles'],
  ['12m', 'Pacific/Auckland'],
  ['2026-11', 'America/Los_Angeles'],
  // Longer than the month before, which has a day of 23 hours.
  ['2026-10', 'Pacific/Auckland'],
  ['2026-02', 'Europe/Berlin'],
  ['2026-Q4', 'Asia/Kolkata'],
  ['2026-Q2', 'Europe/Berlin'],
])('every figure of %s equals the count of its linked list, in %s', (period, timeZone) =>
  withDatabase('bff', async (database) => {
    await expectOneNumber(database, { now: '2026-11-22T07:30:00.000Z', timeZone, period })
  })(),
)

test.each(['2026-13', 'foo', '2026-12', '2027-Q1'])(
  'no page counts %s, which is no period or still to come',
  (period) =>
    withDatabase('bff', async (database) => {
      const { bff } = await openPages(database, { now: '2026-11-22T07:30:00.000Z' })
      for (const path of ['overview', 'trends', 'actors', 'actors/Ashfall', 'countries', 'countries/US']) {
        const response = await bff.ask(`/bff/${path}?period=${period}`)
        expect([path, response.status, await response.json()]).toMatchObject([
          path,
          400,
          { fields: [{ name: 'period' }] },
        ])
      }
    })(),
)

test(
  'one actor has one change, and one country one number, on all pages',
  withDatabase('bff', async (database) => {
    const opened = await start(database, {
      now: '2026-11-22T07:30:00.000Z',
      timeZone: 'America/Los_Angeles',
    })
    const { ask } = await opened.of('cases')
    const { top } = overviewSchema.parse(await ask('overview'))
    const { actors } = actorListSchema.parse(await ask('actors'))
    const { countries } = countryListSchema.parse(await ask('countries'))
    const { trend } = trendAnswerSchema.parse(await ask('trends', { actor: 'Ashfall' }))
    const onOverview = top.actor.find(({ value }) => value === 'Ashfall')
    const onActors = actors.find(({ name }) => name === 'Ashfall')
    const { count, cases, compared } = onOverview ?? {}
    expect(cases).toBeLessThan(count ?? 0)
    expect([onActors?.mentions, onActors?.cases, onActors?.compared]).toEqual([count, cases, compared])
    expect([trend.total, trend.cases, trend.compared]).toEqual([count, cases, compared])
    expect(countries.map(({ code, threats, cases, compared }) => [code, threats, cases, compared])).toEqual(
      top.country.map(({ value, count, cases, compared }) => [value, count, cases, compared]),
    )
  }),
)
