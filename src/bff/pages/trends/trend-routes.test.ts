import { expect, test } from 'vitest'
import { actOn } from '#bff/pages/triage/triage-routes.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type TrendAnswer, trendAnswerSchema } from '#contract/bff/trend.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { trendRoutes } from './trend-routes.ts'

const NOW = '2026-04-10T12:00:00.000Z'

function threat(id: string, publishedAt: string, some: Partial<Threat> = {}): Threat {
  const none = { excerpt: null, industries: [], organizations: [], domains: [], redacted: [] }
  const named = { title: 'Northwind named', category: 'Ransomware', severity: 'high', actors: ['Ashfall'] }
  return { id, set: 'v1', ...none, ...named, countries: [{ code: 'DE', name: 'DE' }], publishedAt, ...some }
}

type Stored = { from?: string; to?: string; threats?: Threat[]; isEmpty?: boolean }

async function start(database: OpenDatabase, { from, to = NOW, threats = [], isEmpty = false }: Stored) {
  const clock = createVirtualClock(Date.parse(NOW))
  if (!isEmpty) {
    // A window without a record counts as empty.
    const all = [...threats, threat('oldest', '2026-01-01T00:00:00.000Z', { actors: [], category: null })]
    await storeThreats(database, placeThreats(all, NOW))
    await writeSyncState(database, makeSyncState(NOW, { storedTo: to, ...(from && { storedFrom: from }) }))
  }
  const store = createThreatStore({ limits: USUAL_HISTORY, database, clock, source: 'a source' })
  const bff = await createTestBff(database, {
    routes: trendRoutes({ store, clock }),
  })
  await bff.signIn()
  const ask = async (query = ''): Promise<TrendAnswer> => {
    const response = await bff.ask(`/bff/trends${query}`)
    return trendAnswerSchema.parse(await response.json())
  }
  return { ...bff, trend: async (query = '') => (await ask(query)).trend, read: ask }
}

const countsOf = (days: readonly { date: string; count: number | null }[]) =>
  Object.fromEntries(days.filter(({ count }) => count).map(({ date, count }) => [date, count]))

test(
  'counts the days of the zone that the reader is in, however many hours they have',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      threats: [
        // Berlin's clocks went forward on the 29th, which began at 23:00 UTC and lasted 23 hours.
        threat('a', '2026-03-28T22:59:59.999Z'),
        threat('b', '2026-03-28T23:00:00.000Z'),
        threat('c', '2026-03-29T21:59:59.999Z'),
        threat('d', '2026-03-29T22:00:00.000Z'),
        threat('e', '2026-03-29T23:30:00.000Z'),
      ],
    })
    const berlin = await trend('?timeZone=Europe/Berlin')
    expect(countsOf(berlin.days)).toEqual({ '2026-03-28': 1, '2026-03-29': 2, '2026-03-30': 2 })
    expect(berlin.days.find(({ date }) => date === '2026-03-29')).toMatchObject({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
      coverage: 'whole',
    })
    expect(berlin.total).toBe(5)
    expect(countsOf((await trend()).days)).toEqual({ '2026-03-28': 2, '2026-03-29': 3 })
  }),
)

test(
  'distinguishes days that are stored in part or not at all from days without threats',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      from: '2026-03-20T06:00:00.000Z',
      threats: [threat('a', '2026-03-20T07:00:00.000Z'), threat('b', NOW)],
    })
    const { days, previous, total, compared } = await trend()
    expect(days.at(0)).toMatchObject({ date: '2026-03-12', coverage: 'unknown', count: null })
    expect(days.find(({ date }) => date === '2026-03-20')).toMatchObject({ coverage: 'partial', count: 1 })
    expect(days.find(({ date }) => date === '2026-03-21')).toMatchObject({ coverage: 'whole', count: 0 })
    expect(days.at(-1)).toMatchObject({ date: '2026-04-10', coverage: 'partial', count: 1 })
    expect(previous.every(({ coverage, count }) => coverage === 'unknown' && count === null)).toBe(true)
    expect([total, compared]).toEqual([2, null])
  }),
)

test(
  'compares with the previous days if all of them are stored',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      from: '2026-02-10T00:00:00.000Z',
      threats: [threat('a', '2026-02-10T00:00:00.000Z'), threat('b', '2026-03-11T11:59:59.999Z')],
    })
    expect((await trend()).compared).toEqual({ count: 0, previous: 2 })
    // There, the first of the days before began six hours earlier.
    expect((await trend('?timeZone=Asia/Dhaka')).compared).toBeNull()
  }),
)

test(
  'draws 12 months by month, and a month of which a part is stored as what it is',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      from: '2026-01-20T06:00:00.000Z',
      threats: [
        threat('a', '2026-01-20T07:00:00.000Z'),
        threat('b', '2026-02-28T23:59:59.999Z'),
        threat('c', NOW),
      ],
    })
    const { period, days, previous, total, compared } = await trend('?period=12m')
    expect(period).toEqual({
      name: '12m',
      unit: 'month',
      from: '2025-05-01',
      to: '2026-04-10',
      isRunning: true,
    })
    expect(days.slice(-5).map(({ date, coverage, count }) => [date, coverage, count])).toEqual([
      ['2025-12-01', 'unknown', null],
      ['2026-01-01', 'partial', 2],
      ['2026-02-01', 'whole', 1],
      ['2026-03-01', 'whole', 0],
      ['2026-04-01', 'partial', 1],
    ])
    expect([previous.length, total, compared]).toEqual([12, 4, null])
  }),
)

test(
  'compares a month that is over with as many days of the month before, where both are stored',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      from: '2026-02-01T00:00:00.000Z',
      threats: [
        threat('a', '2026-02-28T23:00:00.000Z'),
        threat('b', '2026-03-28T23:00:00.000Z'),
        // March has 31 days: those after the 28th are in its total alone.
        threat('c', '2026-03-30T12:00:00.000Z'),
        threat('d', NOW),
      ],
    })
    const march = await trend('?period=2026-03')
    expect(march).toMatchObject({ total: 2, compared: { count: 1, previous: 1, isOver: true } })
    expect([march.days.length, march.previous.length]).toEqual([31, 28])
    expect(march.days.every(({ coverage }) => coverage === 'whole')).toBe(true)
    expect((await trend('?period=2026-02')).compared).toBeNull()
    // 10 and a half days of April are over.
    expect(await trend('?period=2026-04')).toMatchObject({ total: 1, compared: { count: 0, previous: 0 } })
  }),
)

test(
  'compares no time after the last poll',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      from: '2026-02-08T00:00:00.000Z',
      to: '2026-04-08T12:00:00.000Z',
      threats: [threat('a', '2026-02-10T00:00:00.000Z'), threat('b', '2026-03-11T23:59:59.999Z')],
    })
    const { days, previous, compared } = await trend()
    expect(previous.at(0)).toMatchObject({ date: '2026-02-10', coverage: 'whole', count: 1 })
    expect(compared).toBeNull()
    expect(days.slice(-3).map(({ coverage }) => coverage)).toEqual(['partial', 'unknown', 'unknown'])
  }),
)

test(
  'splits the days by the values of a name, the most frequent first',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      from: '2026-04-09T00:00:00.000Z',
      threats: [
        threat('a', '2026-04-09T01:00:00.000Z', { actors: ['Ashfall', 'LockBit'] }),
        threat('b', '2026-04-09T02:00:00.000Z', { actors: ['lockbit'] }),
        threat('c', '2026-04-10T02:00:00.000Z', { actors: ['LOCKBIT'], category: 'DDoS' }),
      ],
    })
    const byActor = (await trend('?by=actor')).series
    expect(byActor.map(({ value, counts }) => [value.toLowerCase(), counts.slice(-3)])).toEqual([
      ['lockbit', [null, 2, 1]],
      ['ashfall', [null, 1, 0]],
    ])
    const filtered = await trend('?by=actor&category=DDoS')
    expect(filtered).toMatchObject({ total: 1, series: [{ counts: expect.arrayContaining([1]) }] })
    expect((await trend()).series).toEqual([])
  }),
)

test(
  'counts what the filter matches, words and moments included',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      threats: [
        threat('a', '2026-04-09T01:00:00.000Z', { title: 'Lock bit names Contoso' }),
        threat('b', '2026-04-09T02:00:00.000Z', { title: 'Bit lock' }),
        threat('c', '2026-04-08T02:00:00.000Z', { title: 'Lock bit', countries: [] }),
      ],
    })
    expect((await trend('?q=%22lock+bit%22')).total).toBe(2)
    expect((await trend('?q=lock&country=DE')).total).toBe(2)
    expect((await trend('?since=2026-04-09T03:00:00%2B02:00&until=2026-04-09T02:00:00Z')).total).toBe(1)
  }),
)

test(
  'stops counting threats that the team has closed since',
  withDatabase('bff', async (database) => {
    const { trend } = await start(database, {
      threats: [threat('a', '2026-03-29T01:00:00.000Z'), threat('b', '2026-03-29T02:00:00.000Z')],
    })
    const open = async () => countsOf((await trend('?timeZone=UTC&triage=open')).days)
    expect(await open()).toEqual({ '2026-03-29': 2 })

    const ada = { accountId: 'u-1', who: 'ada@example.com', name: 'Ada' }
    await database.transaction((tx) =>
      actOn(tx, { action: 'close', ids: ['a'], reason: 'handled', text: null }, ada),
    )
    expect(await open()).toEqual({ '2026-03-29': 1 })
  }),
)

test(
  'reports all days as unknown while no threats are stored',
  withDatabase('bff', async (database) => {
    const { read } = await start(database, { isEmpty: true })
    const { trend, freshness } = await read('?by=category')
    expect(trend.days.every(({ coverage, count }) => coverage === 'unknown' && count === null)).toBe(true)
    expect(trend).toMatchObject({ total: 0, compared: null, series: [] })
    expect(freshness).toMatchObject({ isStale: true, staleReason: expect.stringContaining('Nothing') })
  }),
)

test(
  'refuses a zone and moments that there are not',
  withDatabase('bff', async (database) => {
    const { ask } = await start(database, { isEmpty: true })
    const fieldsOf = async (query: string) => (await readProblem(await ask(`/bff/trends?${query}`))).fields
    expect(await fieldsOf('timeZone=Middle/Earth')).toMatchObject([{ name: 'timeZone' }])
    expect(await fieldsOf('since=2026-04-09')).toMatchObject([{ name: 'since' }])
    expect(await fieldsOf('since=2026-04-09T00:00:00Z&until=2026-04-08T00:00:00Z')).toMatchObject([
      { name: 'since' },
    ])
  }),
)
