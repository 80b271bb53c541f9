import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { facetAnswerSchema, threatListSchema } from '#contract/bff/threat-list.ts'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import { viewFeedSchema, viewSchema } from '#contract/bff/view.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { vendorIsNotCalled } from '#test/support/name-threats.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

const NOW = '2026-11-22T08:00:00.000Z'
const ORIGIN = 'https://lantern.example'
const MORNING = '(hospital OR klinik) country:DE,AT after:yesterday -university'

function threat(id: string, title: string, hoursAgo: number, some: Partial<Threat> = {}): Threat {
  const at = new Date(Date.parse(NOW) - hoursAgo * 3_600_000).toISOString()
  return makeThreat(id, at, { title, ...some })
}

const AT = { countries: [{ code: 'AT', name: 'Austria' }] }
const THREATS = [
  threat('a', 'Hospital in Köln', 1, { organizations: ['Klinikum Nord'], domains: ['mail.nord.example'] }),
  threat('b', 'KLINIK Wien', 2, { ...AT, severity: 'critical', actors: ['LockBit 3.0'] }),
  threat('c', 'University hospital', 3),
  threat('d', 'Hospital in Lyon', 4, { countries: [{ code: 'FR', name: 'France' }] }),
  threat('e', 'A bank', 5, { category: 'DDoS', severity: 'low', industries: ['Finance'] }),
  // 23:30 of the day before yesterday in UTC, and half past midnight of yesterday in Vienna.
  threat('f', 'Klinik Graz', 32.5, AT),
  threat('g', 'Klinik Linz', 60, { ...AT, redacted: ['organizations'] }),
  { ...threat('h', 'Klinik ohne Datum', 61, AT), publishedAt: null },
]

/** Serves the pages' routes from one store, with a vendor that must not be called. */
async function start(database: OpenDatabase, threats: readonly Threat[] = THREATS) {
  const profiles = [{ name: 'Banks', keywords: ['bank'], categories: ['ddos'] }]
  const held = await holdThreats(database, { now: NOW, threats, profiles: async () => profiles })
  const deps = { ...held, database, origin: ORIGIN, log: createLog(() => {}) }
  const bff = await createTestBff(database, {
    routes: [
      ...threatRoutes({
        ...deps,
        secret: 'secret-of-the-tests',
      }),
      ...trendRoutes(deps),
      ...exportRoutes(deps),
      ...viewRoutes(deps),
      ...feedRoutes({ ...deps, generation: () => 0 }),
      ...triageRoutes({ database, readThreat: vendorIsNotCalled }),
    ],
  })
  await bff.signIn()
  const read = async (path: string, query: Record<string, string>) => {
    const response = await bff.ask(`${path}?${new URLSearchParams(query)}`)
    expect(response.status, await response.clone().text()).toBe(200)
    return response
  }
  const list = async (q: string, query: Record<string, string> = {}) =>
    threatListSchema.parse(await (await read('/bff/threats', { q, ...query })).json())
  const ids = async (q: string, query: Record<string, string> = {}) =>
    (await list(q, query)).threats.map(({ id }) => id).join('')
  const refuse = async (q: string) => readProblem(await bff.ask(`/bff/threats?${new URLSearchParams({ q })}`))
  return { ...bff, read, list, ids, refuse }
}

type Feed = Awaited<ReturnType<typeof start>>

const withFeed = (run: (feed: Feed) => Promise<void>) =>
  withDatabase('bff', async (database) => run(await start(database)))

test(
  'a search with several conditions finds exactly its threats, in the user’s time zone',
  withFeed(async ({ list, ids }) => {
    expect(await list(MORNING)).toMatchObject({
      threats: [{ id: 'a' }, { id: 'b' }],
      total: 2,
      understoodAs:
        '(hospital or klinik) and (country is Germany or Austria) and published on 2026-11-21 or later and not university',
      facets: {
        country: [
          { value: 'AT', count: 1 },
          { value: 'DE', count: 1 },
        ],
      },
      freshness: { coverage: { status: 'complete', from: '2026-11-21T00:00:00.000Z' } },
    })
    expect(await ids(MORNING, { timeZone: 'Europe/Vienna' })).toBe('abf')
    // Beside the filters of the address, whichever way they are joined.
    expect(await ids(MORNING, { timeZone: 'Europe/Vienna', country: 'AT' })).toBe('bf')
    expect(await ids('hospital OR klinik', { country: 'AT', within: '1d' })).toBe('b')
  }),
)

test.each([
  ['actor:lockbit', 'b'],
  ['actor:"3.0 lockbit"', ''],
  ['victim:klinikum', 'a'],
  ['klinikum', 'a'],
  ['victim:hospital', ''],
  ['domain:nord.example', 'a'],
  ['domain:mail.nord', ''],
  ['domain:hxxps://nord[.]example/x', 'a'],
  ['severity:>=high -severity:critical', 'acdfgh'],
  ['severity:>high', 'b'],
  ['category:ddos,"Data Breach"', 'e'],
  ['country:Frankr*', ''],
  ['country:fr*', 'd'],
  ['country:austria hospital', ''],
  ['id:c OR id:"d"', 'cd'],
  ['profile:banks', 'e'],
  ['klini*', 'abfgh'],
  ['on:yesterday', 'f'],
  ['before:2026-11-20', 'g'],
  ['-after:2020-01-01', 'h'],
  ['on:yesterday..today', 'abcdef'],
  ['on:2026-11-20..yesterday -klinik', ''],
  ['sector:finance OR Level:critical', 'be'],
  // Withheld by the plan, so there.
  ['victim:*', 'ag'],
  ['-victim:* klinik', 'bfh'],
  ['klinik NOT (graz OR linz OR wien)', 'h'],
  ['klinik -graz -linz or bank', 'beh'],
])('finds by %s what it says', (q, expected) =>
  withFeed(async ({ ids }) => {
    // 32.5 hours ago is yesterday in Vienna.
    expect(await ids(q, { timeZone: 'Europe/Vienna' })).toBe(expected)
  })(),
)

test(
  'searches in addresses of earlier versions keep their meaning',
  withFeed(async ({ ids }) => {
    const before = [
      ['hospital', 'acd'],
      ['KLINIK wien', 'b'],
      ['"hospital in"', 'ad'],
      ['“in hospital”', ''],
      ['"hospital in', 'ad'],
      ['köln', 'a'],
      ['koln', 'a'],
      ['mail.nord.example', 'a'],
      ['3.0', 'b'],
      ['* hospital ***', 'acd'],
      ['***', 'abcdefgh'],
      ['nord-example', 'a'],
      ['austria', 'bfgh'],
    ] as const
    for (const [q, expected] of before) expect(await ids(q), q).toBe(expected)
  }),
)

test(
  'reports a search error with its position and the nearest fix',
  withFeed(async ({ refuse, ask }) => {
    expect(await refuse('bank severity:>=hgih')).toMatchObject({
      status: 400,
      code: 'bad_request',
      fields: [{ name: 'q', from: 14, to: 20, fix: '>=high', reason: expect.stringMatching(/critical/) }],
    })
    expect(await refuse('profile:bank')).toMatchObject({
      fields: [{ name: 'q', reason: 'There is no alert profile “bank”.', fix: 'Banks' }],
    })
    const draft = { name: 'Open', filter: { q: '(a OR b' }, timeZone: 'UTC', isShared: false }
    const refused = await readProblem(await ask('/bff/views', { body: draft }))
    expect(refused.fields).toEqual([
      { name: 'filter.q', reason: 'This parenthesis is not closed.', from: 0, to: 7, fix: '(a OR b)' },
    ])
  }),
)

test(
  'lists, values, trends, exports and feeds take the same language',
  withFeed(async ({ read, ask, app, list }) => {
    const query = { q: MORNING, timeZone: 'Europe/Vienna' }
    const facet = facetAnswerSchema.parse(await (await read('/bff/facets/country', query)).json())
    expect(facet.values).toEqual([
      { value: 'AT', count: 2 },
      { value: 'DE', count: 1 },
    ])
    const { trend } = trendAnswerSchema.parse(await (await read('/bff/trends', query)).json())
    expect(trend.total).toBe((await list(MORNING, { timeZone: 'Europe/Vienna' })).total)

    const lines = (await (await read('/bff/exports/threats', query)).text()).trim().split('\n')
    expect(lines.slice(1, -1).map((line) => JSON.parse(line).threat.id)).toEqual(['a', 'b', 'f'])

    const filter = { q: MORNING }
    const body = { name: 'Mornings', filter, timeZone: 'Europe/Vienna', isShared: false }
    const view = viewSchema.parse(await (await ask('/bff/views', { body })).json())
    const feed = await ask(`/bff/views/${view.id}/feed`, { method: 'POST' })
    const { address } = viewFeedSchema.parse(await feed.json())
    const atom = await (await app.request(new URL(address).pathname)).text()
    expect(atom.match(/<entry>/g)).toHaveLength(3)
  }),
)

test(
  'all routes refuse an operator within a value, with its fix',
  withDatabase('bff', async (database) => {
    const { ask, refuse } = await start(database)
    const body = { name: 'Mornings', filter: { q: 'bank' }, timeZone: 'UTC', isShared: false }
    const view = viewSchema.parse(await (await ask('/bff/views', { body })).json())
    const feed = await ask(`/bff/views/${view.id}/feed`, { method: 'POST' })
    const { pathname } = new URL(viewFeedSchema.parse(await feed.json()).address)
    for (const [q, fixed] of [
      ['severity:!high', '-severity:high'],
      ['country:!DE', '-country:DE'],
      ['after:2026-11-01..2026-11-10', 'on:2026-11-01..2026-11-10'],
      ['severity:urgent', 'severity:critical'],
      ['country:DE severity>high', 'country:DE severity:>high'],
      ['+country:=DE', 'country:=DE'],
    ] as const) {
      const [{ from = 0, to = 0, fix = null } = {}] = (await refuse(q)).fields ?? []
      expect(fix === null ? null : q.slice(0, from) + fix + q.slice(to)).toBe(fixed)
      for (const path of ['exports/threats', 'facets/country', 'groups/day', 'trends']) {
        const problem = await readProblem(await ask(`/bff/${path}?${new URLSearchParams({ q })}`))
        expect([problem.status, problem.fields], path).toEqual([
          400,
          [expect.objectContaining({ from, to, fix })],
        ])
      }
      const draft = { ...body, filter: { q } }
      expect((await ask('/bff/views', { body: draft })).status, q).toBe(400)
      // A view that an earlier version has saved.
      await database.query(`update saved_view set filter = $1 where id = $2`, [
        JSON.stringify({ q }),
        view.id,
      ])
      expect((await ask(pathname)).status, q).toBe(400)
    }
  }),
)

test(
  'what the team has done is a part of the language, at once',
  withFeed(async ({ ids, ask }) => {
    expect([await ids('is:starred'), await ids('-is:read hospital')]).toEqual(['', 'acd'])
    await ask('/bff/triage', { body: { action: 'star', ids: ['a'] } })
    await ask('/bff/triage', { body: { action: 'read', ids: ['c', 'd'] } })
    await ask('/bff/triage', { body: { action: 'note', ids: ['e'], text: 'Ours.' } })
    expect([await ids('is:starred OR has:note'), await ids('-is:read hospital')]).toEqual(['ae', 'a'])
    expect(await ids('hospital is:read', { triage: 'starred' })).toBe('')
  }),
)

const PHRASES = [
  threat('a', 'Hospital', 1, { listSays: { analysis: true, source: 'forum.example' } }),
  threat('b', 'Clinic', 2, { listSays: { analysis: false, source: 'mail.forum.example' } }),
  threat('c', 'Hospital', 3, { listSays: { source: null }, countries: AT.countries }),
  threat('d', 'Clinic', 4),
]

test.each([
  ['has:analysis', 'a'],
  ['-has:analysis', 'bcd'],
  ['has:analysis OR -has:analysis', 'abcd'],
  ['hospital has:analysis', 'a'],
  ['hospital OR has:analysis', 'ac'],
  ['-(hospital -has:analysis)', 'abd'],
  ['has:evidence', ''],
  ['has:comment,analysis', 'a'],
  ['source:forum.example', 'ab'],
  ['source:hxxps://mail[.]forum[.]example/x', 'b'],
  ['-source:mail.forum.example', 'acd'],
  ['has:analysis source:mail.forum.example', ''],
])('a record without a part fails %s and matches its negation, on every page', (q, expected) =>
  withDatabase('bff', async (database) => {
    const { ids, list, read } = await start(database, PHRASES)
    expect(await ids(q)).toBe(expected)
    expect((await list(q)).total).toBe(expected.length)
    const lines = (await (await read('/bff/exports/threats', { q })).text()).trim().split('\n')
    expect(lines).toHaveLength(expected.length + 2)
    const { trend } = trendAnswerSchema.parse(await (await read('/bff/trends', { q })).json())
    expect(trend.total).toBe(expected.length)
  })(),
)

test(
  'reports for how many threats the vendor provides each searched field, if not for all',
  withDatabase('bff', async (database) => {
    const industries = ['Energy']
    const { list } = await start(database, [...PHRASES, threat('e', 'Clinic', 5, { industries })])
    expect((await list('hospital')).partialFields).toEqual([])
    expect((await list('actor:*')).partialFields).toEqual([])
    const of = 5
    expect((await list('-industry:energy has:analysis')).partialFields).toEqual([
      { field: 'industry', threats: 1, of },
      { field: 'analysis', threats: 1, of },
    ])
    expect((await list('-(source:x OR victim:y)', { industry: 'Energy' })).partialFields).toEqual([
      { field: 'victim', threats: 0, of },
      { field: 'industry', threats: 1, of },
      { field: 'source', threats: 2, of },
    ])
  }),
)
