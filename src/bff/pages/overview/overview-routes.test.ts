import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { actOn } from '#bff/pages/triage/triage-routes.ts'
import { addRange } from '#bff/store/history/history-ranges.ts'
import { createListMatching } from '#bff/store/lists/match-lists.ts'
import { nextRevision, placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { writeRevision, writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { overviewSchema } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { overviewRoutes } from './overview-routes.ts'

const SOURCE = 'a source'

function threat(id: string, publishedAt: string, some: Partial<Threat> = {}): Threat {
  const none = { excerpt: null, industries: [], organizations: [], domains: [], redacted: [] }
  const named = { title: 'Northwind named', category: 'Ransomware', severity: 'high', actors: ['Ashfall'] }
  return { id, set: 'v1', ...none, ...named, countries: [{ code: 'DE', name: 'DE' }], publishedAt, ...some }
}

type Given = { storedDays?: number; threats?: (ago: (ms: number) => string) => Threat[] }

async function start(database: OpenDatabase, { storedDays = 61, threats }: Given) {
  // The database's own clock says when somebody was here: the window's must agree with it.
  const clock = createVirtualClock(Date.now())
  const now = clock.nowMs()
  const ago = (ms: number) => new Date(now - ms).toISOString()
  const given = threats?.(ago) ?? []
  if (given.length > 0) {
    await storeThreats(database, placeThreats(given, ago(0)))
    await writeSyncState(
      database,
      makeSyncState(ago(0), { source: SOURCE, storedFrom: ago(storedDays * DAY_MS), storedTo: ago(0) }),
    )
  }
  const store = createThreatStore({ limits: USUAL_HISTORY, database, clock, source: SOURCE })
  const bff = await createTestBff(database, {
    routes: overviewRoutes({ database, store, clock }),
  })
  await bff.signIn()
  const overview = async (query = '') =>
    overviewSchema.parse(await (await bff.ask(`/bff/overview${query}`)).json())
  return { overview, ago, store }
}

test(
  'counts a day, a week and 30 days, each against the time before',
  withDatabase('bff', async (database) => {
    const { overview } = await start(database, {
      threats: (ago) => [
        threat('a', ago(HOUR_MS)),
        threat('b', ago(30 * HOUR_MS)),
        threat('c', ago(31 * HOUR_MS)),
        threat('d', ago(8 * DAY_MS)),
        threat('e', ago(31 * DAY_MS)),
      ],
    })
    const { day, week, period, lastVisit } = await overview()
    const countsOf = ({ count, compared }: typeof day) => [count, compared?.previous]
    expect([day, week, period].map(countsOf)).toEqual([
      [1, 2],
      [3, 1],
      [4, 1],
    ])
    expect(lastVisit).toBeNull()
  }),
)

test(
  'compares no period that is not stored, and marks periods that are stored in part',
  withDatabase('bff', async (database) => {
    const { overview } = await start(database, {
      storedDays: 10,
      threats: (ago) => [threat('a', ago(HOUR_MS)), threat('b', ago(9 * DAY_MS))],
    })
    const { day, week, period, top } = await overview()
    expect(day).toMatchObject({ count: 1, isWhole: true, compared: { count: 1, previous: 0 } })
    expect(week).toMatchObject({ count: 1, isWhole: true, compared: null })
    expect(period).toMatchObject({ count: 2, isWhole: false, compared: null })
    expect(top.actor).toEqual([{ value: 'Ashfall', count: 2, compared: null }])
  }),
)

test(
  'counts a month of the past at once when it is stored, and nothing of it before',
  withDatabase('bff', async (database) => {
    const { overview, ago, store } = await start(database, { threats: (ago) => [threat('a', ago(HOUR_MS))] })
    const from = `${ago(300 * DAY_MS).slice(0, 7)}-01T00:00:00.000Z`
    const month = `?period=${from.slice(0, 7)}`
    expect(await overview(month)).toMatchObject({ period: { count: null }, top: { actor: [] } })

    const inMonth = new Date(Date.parse(from) + DAY_MS).toISOString()
    await storeThreats(database, placeThreats([threat('b', inMonth)], inMonth))
    await writeRevision(database, await nextRevision(database))
    store.forget()
    expect(await overview(month)).toMatchObject({ period: { count: null }, top: { actor: [] } })

    const to = new Date(Date.parse(from) + 31 * DAY_MS).toISOString()
    await addRange(database, { from, to, set: 'earlier', isOldest: false, readAt: ago(0) })
    store.forget()
    expect(await overview(month)).toMatchObject({
      period: { count: 1, isWhole: true },
      top: { actor: [{ value: 'Ashfall', count: 1 }] },
    })
  }),
)

test(
  'ranks the values of the last 30 days, with their counts before',
  withDatabase('bff', async (database) => {
    const { overview } = await start(database, {
      threats: (ago) => [
        threat('a', ago(HOUR_MS), { actors: ['LockBit'], industries: ['Healthcare'] }),
        threat('b', ago(DAY_MS), { actors: ['LockBit'], severity: 'critical' }),
        threat('c', ago(2 * DAY_MS), { countries: [{ code: 'FR', name: 'France' }] }),
        threat('d', ago(40 * DAY_MS)),
      ],
    })
    const { top, newestCritical } = await overview()
    expect(top.actor).toEqual([
      { value: 'LockBit', count: 2, compared: { count: 2, previous: 0 } },
      { value: 'Ashfall', count: 1, compared: { count: 1, previous: 1 } },
    ])
    expect(top.country.map(({ value, count }) => [value, count])).toEqual([
      ['DE', 2],
      ['FR', 1],
    ])
    expect(top.industry).toEqual([{ value: 'Healthcare', count: 1, compared: { count: 1, previous: 0 } }])
    expect(newestCritical.map(({ id }) => id)).toEqual(['b'])
  }),
)

test(
  'leaves what the team has closed out of the newest critical threats, at once',
  withDatabase('bff', async (database) => {
    const { overview } = await start(database, {
      threats: (ago) => [
        threat('a', ago(HOUR_MS), { severity: 'critical' }),
        threat('b', ago(DAY_MS), { severity: 'critical' }),
      ],
    })
    const critical = async () => (await overview()).newestCritical.map(({ id }) => id)
    expect(await critical()).toEqual(['a', 'b'])

    const ada = { accountId: 'u-1', who: 'ada@example.com', name: 'Ada' }
    await database.transaction((tx) =>
      actOn(tx, { action: 'close', ids: ['a'], reason: 'handled', text: null }, ada),
    )
    expect(await critical()).toEqual(['b'])

    await database.transaction((tx) => actOn(tx, { action: 'reopen', ids: ['a'] }, ada))
    expect(await critical()).toEqual(['a', 'b'])
  }),
)

test(
  'lists threats that match the user’s visible lists, certain ones first',
  withDatabase('bff', async (database) => {
    const { overview, ago } = await start(database, {
      threats: (ago) => [
        threat('new', ago(HOUR_MS), { organizations: ['Okapi Ltd'] }),
        threat('likely', ago(2 * HOUR_MS), { organizations: ['Apex'] }),
        threat('both', ago(3 * HOUR_MS), { organizations: ['Okapi Ltd', 'Apex'] }),
        threat('old', ago(8 * DAY_MS), { organizations: ['Okapi Ltd'] }),
      ],
    })
    expect((await overview()).concerns).toBeNull()

    await database.query(
      `with owner as (
         insert into account (email, name, role, password_hash)
         select 'olga@example.com', 'Olga', 'analyst', password_hash from account where role = 'admin' returning id),
       list as (
         insert into name_list (account_id, name, kind, is_shared)
         select owner.id, given.name, kind, is_shared
           from owner, (values ('Suppliers', 'supplier', true), ('Peers', 'peer', true), ('Hidden', 'own', false))
                       as given (name, kind, is_shared)
         returning id, name)
       insert into list_entry (list_id, name, domains, registrable, weight)
       select list.id, given.name, '{}', '{}', 'normal'
         from list, (values ('Okapi'), ('Apex')) as given (name) where list.name <> 'Peers'`,
    )
    await createListMatching({ database, log: createLog(() => {}) }).matchUnmatched()

    const { concerns } = await overview()
    expect(concerns?.lists).toMatchObject([
      { name: 'Suppliers', kind: 'supplier', certain: 2, toConfirm: 1 },
      { name: 'Peers', certain: 0, toConfirm: 0 },
    ])
    expect(
      concerns?.newest.map(({ threat, entryName, certainty }) => [threat.id, entryName, certainty]),
    ).toEqual([
      ['new', 'Okapi', 'certain'],
      ['both', 'Okapi', 'certain'],
      ['likely', 'Apex', 'to-confirm'],
      ['both', 'Apex', 'to-confirm'],
    ])
    expect(Date.parse(concerns?.since ?? '')).toBeGreaterThanOrEqual(Date.parse(ago(7 * DAY_MS + HOUR_MS)))
  }),
)

test(
  'counts new claims since the previous visit, which ended after half an hour without requests',
  withDatabase('bff', async (database) => {
    const { overview, ago } = await start(database, {
      threats: (ago) => [
        threat('a', ago(HOUR_MS)),
        threat('b', ago(3 * HOUR_MS)),
        threat('c', ago(5 * HOUR_MS)),
      ],
    })
    const seen = (at: string) => database.query('update session set seen_at = $1', [at])
    await database.query('delete from visit')
    for (const minutes of [60 * 4, 60 * 3 + 40, 60 * 2, 60 + 40]) await seen(ago(minutes * 60_000))
    await seen(ago(0))
    const { lastVisit } = await overview()
    // Left 100 minutes ago: one threat since, and one in the 100 minutes before that.
    expect(lastVisit).toMatchObject({ count: 1, compared: { count: 1, previous: 1 } })
    const leftMs = Date.parse(ago(100 * 60_000))
    expect(Date.parse(lastVisit?.since ?? '')).toBe(leftMs - (leftMs % 60_000))
  }),
)

test(
  'reports all counts as unknown while no threats are stored',
  withDatabase('bff', async (database) => {
    const { overview } = await start(database, {})
    const { day, period, top, newestCritical, freshness } = await overview()
    expect([day, period]).toMatchObject([
      { count: null, compared: null, isWhole: false },
      { count: null, compared: null, isWhole: false },
    ])
    expect([top.actor, newestCritical]).toEqual([[], []])
    expect(freshness).toMatchObject({ isStale: true, staleReason: expect.stringContaining('Nothing') })
  }),
)
