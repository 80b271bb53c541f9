import { expect, test } from 'vitest'
import {
  alertListSchema,
  backtestSchema,
  profileMatchesSchema,
  threatProfilesSchema,
} from '#contract/bff/alert.ts'
import {
  ALERTS,
  type AlertsOptions,
  startAlerts,
  storedThreat,
  vendorProfile,
} from '#test/support/alerts/start-alerts.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const BACKTEST = '/bff/alert-profiles/backtest'
const THREATS = [
  storedThreat({ id: 'a', title: 'Quayside leaks', publishedAt: '2026-03-10T09:00:00.000Z' }),
  storedThreat({ id: 'b', title: 'Lock-Bit names Quayside', publishedAt: '2026-03-08T09:00:00.000Z' }),
  storedThreat({ id: 'c', title: 'Lock bit', category: 'DDoS', publishedAt: '2026-03-08T08:00:00.000Z' }),
  storedThreat({ id: 'd', title: 'Bit lock', publishedAt: '2026-03-01T08:00:00.000Z' }),
]

async function start(options: AlertsOptions = {}) {
  const database = await takeDatabase('bff')
  const alerts = await startAlerts(database, {
    role: 'viewer',
    threats: THREATS,
    ...options,
  })
  const { ask } = alerts
  return {
    ...alerts,
    database,
    list: async () => alertListSchema.parse(await (await ask(ALERTS)).json()),
    backtest: async (body: object) =>
      backtestSchema.parse(
        await (await ask(BACKTEST, { body: { filter: {}, timeZone: 'UTC', ...body } })).json(),
      ),
  }
}

test('lists profiles with what they match in the window, for one call in ten minutes', async () => {
  const { list, play, standIn, clock } = await start()
  const plain = { keywords: ['nothing'], categories: [], notifications: null, triggered_count: null }
  play({ list: { json: { alert_profiles: [vendorProfile(), { id: 7, ...plain }, { name: 'no id' }] } } })
  const { profiles, unreadable, freshness } = await list()
  expect(profiles).toMatchObject([
    { id: 'alp_1', triggeredCount: 3, window: { matches: 2, latestAt: '2026-03-10T09:00:00.000Z' } },
    { id: '7', name: '7', destinations: { email: [], slack: null }, window: { matches: 0, latestAt: null } },
  ])
  expect(unreadable).toBe(1)
  // The freshness is that of the stored threats, in which matches are counted.
  expect(freshness).toMatchObject({
    isStale: false,
    coverage: {
      status: 'complete',
      from: '2026-02-09T00:00:00.000Z',
      to: '2026-03-10T12:00:00.000Z',
      gaps: [],
    },
  })
  clock.wait(9 * 60_000)
  await list()
  expect(standIn.calls).toHaveLength(1)
})

test('shows the list as it was, with its age, while the vendor fails', async () => {
  const { list, play, clock } = await start()
  play({ list: { json: { alert_profiles: [vendorProfile()] } } })
  await list()
  clock.wait(3_600_000)
  play({ list: { status: 503, json: { error: 'Down' } } })
  const { profiles, freshness } = await list()
  expect(profiles).toHaveLength(1)
  expect(freshness).toMatchObject({ isStale: true, fetchedAt: '2026-03-10T12:00:00.000Z' })
})

test('reports a missing plan, and an answer that is not a list', async () => {
  const { ask, play, clock } = await start()
  play({ list: { json: { error: 'none' } } })
  expect((await readProblem(await ask(ALERTS))).code).toBe('upstream_unreadable')
  clock.wait(60_000)
  play({ list: { status: 403, json: { error: 'Professional or Enterprise needed' } } })
  expect(await readProblem(await ask(ALERTS))).toMatchObject({ code: 'plan_not_allowed', set: 'earlier' })
})

test('a sample says which entries of the reader’s lists it matches, of no private list of others', async () => {
  const { backtest, database } = await start()
  await database.query(
    `with owner as (insert into account (email, name, role, password_hash)
       select 'bo@example.com', 'Bo', 'analyst', password_hash from account limit 1 returning id),
     made as (insert into name_list (account_id, name, kind, is_shared)
       select id, name, 'supplier', name = 'Shared' from owner, unnest(array['Shared', 'Private']) name returning id),
     entry as (insert into list_entry (list_id, name, domains, registrable, weight)
       select id, 'Quayside', '{}', '{}', 'normal' from made returning id)
     insert into list_match (entry_id, threat_id, certainty, rule, words) select id, 'a', 'certain', 'name', 'Quayside' from entry`,
  )
  const { samples } = await backtest({ keywords: ['quayside'] })
  expect(samples.map(({ threat }) => [threat.id, threat.concerns?.map(({ listName }) => listName)])).toEqual([
    ['a', ['Shared']],
    ['b', undefined],
  ])
})

test('counts what a draft would have matched: by day, by keyword and shared with profiles', async () => {
  const { backtest, play } = await start()
  play({
    list: { json: { alert_profiles: [vendorProfile(), vendorProfile({ id: 'x', keywords: ['rare'] })] } },
  })
  const result = await backtest({
    keywords: ['quayside', '"lock bit"', 'LOCK-BIT', 'lock', '***', 'northwind', 'it', 'foods'],
  })
  expect(result).toMatchObject({ matches: 4, compared: 4, isFullText: false, overlapsUnavailable: null })
  expect(result.days).toHaveLength(30)
  expect(result.days.at(-1)).toMatchObject({ date: '2026-03-10', coverage: 'partial', count: 1 })
  expect(result.days.at(-3)).toMatchObject({ date: '2026-03-08', coverage: 'whole', count: 2 })
  expect(result.keywords).toEqual([
    { keyword: 'quayside', understoodAs: 'quayside', matches: 2, alone: 1, flags: [] },
    { keyword: '"lock bit"', understoodAs: '"lock bit"', matches: 2, alone: 0, flags: ['idle'] },
    { keyword: 'LOCK-BIT', understoodAs: '"lock bit"', matches: 2, alone: 0, flags: ['duplicate'] },
    { keyword: 'lock', understoodAs: 'lock', matches: 3, alone: 1, flags: [] },
    { keyword: '***', understoodAs: null, matches: 0, alone: 0, flags: ['unreadable'] },
    { keyword: 'northwind', understoodAs: 'northwind', matches: 0, alone: 0, flags: ['no_match'] },
    { keyword: 'it', understoodAs: 'it', matches: 0, alone: 0, flags: ['too_short', 'no_match'] },
    { keyword: 'foods', understoodAs: 'foods', matches: 0, alone: 0, flags: ['no_match'] },
  ])
  expect(result.overlaps).toEqual([{ profileId: 'alp_1', name: 'Harbour', shared: 2, matches: 2 }])
  expect(result.samples.map(({ threat, keywords }) => [threat.id, keywords])).toEqual([
    ['a', ['quayside']],
    ['b', ['quayside', '"lock bit"', 'LOCK-BIT', 'lock']],
    ['c', ['"lock bit"', 'LOCK-BIT', 'lock']],
    ['d', ['lock']],
  ])
  expect(result.forecast).toMatchObject({ basedOnDays: 29 })
})

test('holds a draft to its categories, and days to the zone of the reader', async () => {
  const { backtest } = await start()
  expect(await backtest({ keywords: ['lock'], filter: { category: ['ddos'] } })).toMatchObject({ matches: 1 })
  const { days } = await backtest({ keywords: ['quayside'], timeZone: 'Pacific/Auckland' })
  expect(days.at(-1)).toMatchObject({ date: '2026-03-11', count: 0 })
  expect(days.at(-2)).toMatchObject({ date: '2026-03-10', count: 1 })
})

test('flags a keyword that occurs in more than 5 % of the stored threats', async () => {
  const threats = Array.from({ length: 60 }, (_, at) =>
    storedThreat({ title: `Ransomware ${at < 3 ? 'acme' : ''} ${at < 4 ? 'contoso' : ''}` }),
  )
  const { backtest } = await start({ threats })
  const { keywords } = await backtest({ keywords: ['ransomware', 'acme', 'contoso'] })
  expect(keywords.map(({ flags }) => flags)).toEqual([['common'], ['idle'], ['common', 'idle']])
})

test('answers a backtest also where the profiles cannot be read, and says so', async () => {
  const { backtest, play } = await start()
  play({ list: { status: 403, json: { error: 'Not in the plan' } } })
  const { matches, overlaps, overlapsUnavailable } = await backtest({ keywords: ['quayside'] })
  expect({ matches, overlaps }).toEqual({ matches: 2, overlaps: [] })
  expect(overlapsUnavailable).toContain('plan')
})

test('takes an empty draft, and no unknown zone', async () => {
  const { backtest, ask } = await start()
  expect(await backtest({ keywords: [] })).toMatchObject({ matches: 0, keywords: [], samples: [] })
  const body = { keywords: ['a'], filter: {}, timeZone: 'Mars/Olympus' }
  expect(await readProblem(await ask(BACKTEST, { body }))).toMatchObject({
    status: 400,
    fields: [{ name: 'timeZone' }],
  })
})

test('says that nothing can be compared while the window is empty', async () => {
  const { ask, play, list } = await start({ threats: [] })
  play({ list: { json: [vendorProfile()] } })
  const body = { keywords: ['a'], filter: {}, timeZone: 'UTC' }
  expect((await readProblem(await ask(BACKTEST, { body }))).code).toBe('window_empty')
  expect((await readProblem(await ask(`${ALERTS}/alp_1/matches`))).code).toBe('window_empty')
  expect((await list()).profiles).toMatchObject([{ id: 'alp_1', window: null }])
})

test('shows the newest records that a profile matches, with the keywords that each holds', async () => {
  const { ask, play } = await start()
  play({ list: { json: { profiles: [vendorProfile({ id: 'a b/ü' })] } } })
  const answer = await ask(`${ALERTS}/${encodeURIComponent('a b/ü')}/matches`)
  const { matches, total } = profileMatchesSchema.parse(await answer.json())
  expect(total).toBe(2)
  expect(matches.map(({ threat, keywords }) => [threat.id, keywords])).toEqual([
    ['a', ['quayside']],
    ['b', ['quayside', '"lock bit"']],
  ])
  expect((await readProblem(await ask(`${ALERTS}/other/matches`))).code).toBe('not_found')
})

test('counts in the list, in the matches and in a draft’s overlaps the same days of the reader', async () => {
  // The first day in UTC, and in Auckland the day before it.
  const early = storedThreat({ id: 'e', title: 'Quayside', publishedAt: '2026-02-09T05:00:00.000Z' })
  const { ask, play, backtest } = await start({ threats: [...THREATS, early] })
  play({ list: { json: { alert_profiles: [vendorProfile()] } } })

  for (const [timeZone, expected] of [
    ['UTC', 3],
    ['Pacific/Auckland', 2],
  ] as const) {
    const query = `?timeZone=${timeZone}`
    const { profiles } = alertListSchema.parse(await (await ask(ALERTS + query)).json())
    const { total } = profileMatchesSchema.parse(await (await ask(`${ALERTS}/alp_1/matches${query}`)).json())
    const { overlaps } = await backtest({ keywords: ['quayside'], timeZone })
    expect([profiles[0]?.window?.matches, total, overlaps[0]?.matches]).toEqual([
      expected,
      expected,
      expected,
    ])
  }
  expect((await ask(`${ALERTS}?timeZone=Mars/Olympus`)).status).toBe(400)
})

test('explains which profiles match a threat and why others do not', async () => {
  const { ask, play } = await start()
  const profiles = [
    vendorProfile({ id: 'matches' }),
    vendorProfile({ id: 'other', categories: ['DDoS'] }),
    vendorProfile({ id: 'none', keywords: ['acme'] }),
    vendorProfile({ id: 'content', keywords: ['harbour pier'], categories: [] }),
  ]
  play({ list: { json: { alert_profiles: profiles } } })
  const answer = await ask('/bff/threats/b/profiles')
  const explained = threatProfilesSchema.parse(await answer.json()).profiles
  expect(explained.map(({ id, verdict, keywords }) => [id, verdict, keywords])).toEqual([
    ['matches', 'matches', ['quayside', '"lock bit"']],
    ['other', 'other_category', ['quayside', '"lock bit"']],
    ['none', 'no_keyword', []],
    ['content', 'matches', ['harbour pier']],
  ])
  expect((await readProblem(await ask('/bff/threats/nowhere/profiles'))).code).toBe('not_found')
})

test('counts what a search would have matched, what each condition brings, and narrower searches', async () => {
  const threats = [
    ...THREATS,
    storedThreat({ id: 'e', title: 'Lock', severity: 'critical', publishedAt: '2026-03-09T09:00:00.000Z' }),
    storedThreat({ id: 'old', title: 'Lock', publishedAt: '2026-01-01T09:00:00.000Z' }),
  ]
  const { ask, play } = await start({ threats })
  play({ list: { json: { alert_profiles: [vendorProfile()] } } })
  const search = async (filter: object) =>
    backtestSchema.parse(await (await ask(BACKTEST, { body: { filter, timeZone: 'UTC' } })).json())
  const result = await search({ q: 'lock -quayside' })
  expect(result).toMatchObject({ matches: 3, compared: 5, keywords: [], forecast: { basedOnDays: 29 } })
  expect(result.conditions.map(({ name, part, count }) => [name, part, count])).toEqual([
    ['q', 0, 4],
    ['q', 1, 3],
  ])
  expect(result.samples.map(({ threat, keywords }) => [threat.id, keywords])).toEqual([
    ['e', ['lock']],
    ['c', ['lock']],
    ['d', ['lock']],
  ])
  for (const { field, values, filter, matches } of result.narrower) {
    expect(matches).toBeLessThan(result.matches)
    expect(await search(filter)).toMatchObject({ matches })
    expect(filter).toEqual({ q: 'lock -quayside', [field]: values })
  }
  expect(result.narrower).toContainEqual(
    expect.objectContaining({ field: 'severity', values: ['critical'], matches: 1 }),
  )
  expect((await search({ q: 'lock severity:critical' })).narrower.map(({ field }) => field)).not.toContain(
    'severity',
  )
  expect((await search({ q: 'quayside' })).overlaps).toMatchObject([{ profileId: 'alp_1', shared: 2 }])
  const refused = await ask(BACKTEST, {
    body: { filter: { q: 'profile:gone' }, timeZone: 'UTC' },
  })
  expect(refused.status).toBe(400)
})

test('compares and explains only profiles of Lantern that the user may see', async () => {
  const database = await takeDatabase('bff')
  const { ask, play } = await startAlerts(database, { role: 'analyst', threats: THREATS })
  play({ list: { status: 403, json: { error: 'Not in the plan' } } })
  await database.query(
    `insert into alert_profile (account_id, name, filter, time_zone, is_shared)
     select id, 'Mine', '{"q":"quayside"}', 'UTC', false from account
     union all select null, 'Another’s', '{"q":"quayside"}', 'UTC', false`,
  )
  const body = { filter: { q: 'lock' }, timeZone: 'UTC' }
  const { overlaps } = backtestSchema.parse(await (await ask(BACKTEST, { body })).json())
  expect(overlaps).toMatchObject([{ name: 'Mine', shared: 1, matches: 2 }])
  const explain = async (id: string) =>
    threatProfilesSchema.parse(await (await ask(`/bff/threats/${id}/profiles`)).json())
  expect(await explain('a')).toMatchObject({
    profiles: [{ name: 'Mine', verdict: 'matches' }],
    vendorProblem: { code: 'plan_not_allowed' },
    freshness: null,
  })
  expect((await explain('d')).profiles).toMatchObject([{ name: 'Mine', verdict: 'no_match' }])
})
