import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { iso, NOW_MS, startHistory, V1_FROM_MS } from '#test/support/history/start-history.ts'
import { withDatabase } from '#test/support/with-database.ts'

const AUGUST = { from: '2026-08-01', to: '2026-08-21' }
const JULY_MS = Date.parse('2026-07-01T00:00:00Z')
const AUGUST_MS = Date.parse('2026-08-01T00:00:00Z')

test(
  'a restart after a kill continues the month at its cursor, and reads no page twice',
  withDatabase('bff', async (database) => {
    const { step, clock, run, restart, vendor, loads } = await startHistory(database, { everyMs: HOUR_MS })
    for (let pages = 0; pages < 3; pages++) clock.wait(await step())
    expect(await loads()).toMatchObject([{ ...AUGUST, state: 'reading', pages: 3 }])
    restart()
    await run()
    const august = vendor.feedCalls().filter((call) => call.startsWith('2026-08-01'))
    expect(new Set(august)).toHaveProperty('size', august.length)
    expect((await loads()).at(0)).toMatchObject({ ...AUGUST, state: 'done' })
  }),
)

test(
  'a page whose process dies before it is stored claims nothing',
  withDatabase('bff', async (database) => {
    const { run, readHistory, storedIds, records, standIn } = await startHistory(database)
    const before = await storedIds()
    await database.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    )
    await database.query(
      'create trigger fail before insert on history_range for each row execute function fail()',
    )
    await expect(run()).rejects.toThrow('no')
    expect(await storedIds()).toEqual(before)
    expect(await readHistory()).toMatchObject({ ranges: [], oldestFrom: null })
    await database.query('drop trigger fail on history_range')
    const calls = standIn.calls.length
    await run()
    expect(standIn.calls.length).toBeGreaterThan(calls)
    const listed = records.filter(({ atMs }) => atMs >= Date.parse('2026-06-10T00:00:00Z'))
    expect(await storedIds()).toEqual(listed.map(({ id }) => id).toSorted())
  }),
)

const FORBIDDEN = { status: 403, json: { error: 'Outside the data window of your plan' } }
const REFUSED = { status: 400, json: { error: 'offset is too large' } }

test.for([
  ['a 403 half way', FORBIDDEN, 'planWindow'],
  ['a 400 half way', REFUSED, 'refused'],
] as const)('%s leaves what was read, and claims nothing of the month', ([, reply, why]) =>
  withDatabase('bff', async (database) => {
    const { vendor, run, readHistory, coverage, storedIds, loads } = await startHistory(database, {
      everyMs: HOUR_MS,
    })
    vendor.set({
      fault: ({ query }) =>
        query.date_from === '2026-07-01' && Number(query.offset) > 200 ? reply : undefined,
    })
    const before = (await storedIds()).length
    await run()
    const { ranges } = await readHistory()
    expect(ranges[0]).toEqual({ from: AUGUST_MS, to: V1_FROM_MS })
    expect(ranges.some(({ from, to }) => from < AUGUST_MS && to > JULY_MS)).toBe(false)
    expect((await loads()).filter((load) => Object(load).from === '2026-07-01')).toMatchObject([
      { state: 'failed', why, pages: 3 },
    ])
    expect((await storedIds()).length).toBeGreaterThan(before + 20 * 24 + 250)
    expect(await coverage('2026-07-01T00:00:00Z')).toMatchObject({
      status: 'part',
      gaps: [{ to: iso(AUGUST_MS), why }],
    })
  })(),
)

test(
  'nothing older is requested than a month that the plan does not show',
  withDatabase('bff', async (database) => {
    const { vendor, run } = await startHistory(database)
    vendor.set({ fault: ({ query }) => ((query.date_from ?? '2000') < '2026-07-15' ? FORBIDDEN : undefined) })
    await run()
    expect(vendor.feedCalls().some((call) => call.startsWith('2026-06'))).toBe(false)
    // It is tried again a day later: a plan may be another.
    vendor.set({})
    const calls = vendor.feedCalls().length
    await run({ ms: 12 * HOUR_MS })
    expect(vendor.feedCalls()).toHaveLength(calls)
  }),
)

test(
  'a month that failed is tried again after a day, and is complete then',
  withDatabase('bff', async (database) => {
    const { vendor, run, clock, coverage } = await startHistory(database)
    vendor.set({ fault: ({ query }) => (query.date_from === '2026-07-01' ? REFUSED : undefined) })
    await run()
    expect(await coverage('2026-06-15T00:00:00Z')).toMatchObject({
      status: 'part',
      gaps: [{ why: 'refused' }],
    })
    vendor.set({})
    clock.wait(DAY_MS)
    await run()
    const { status } = (await coverage('2026-06-15T00:00:00Z')) ?? {}
    expect(status).not.toBe('none')
    const { gaps = [] } = (await coverage('2026-06-15T00:00:00Z')) ?? {}
    expect(gaps.filter(({ from }) => from !== null && from < iso(V1_FROM_MS))).toEqual([])
  }),
)

test(
  'a month whose list never ends is cut off, and claims nothing',
  withDatabase('bff', async (database) => {
    const { vendor, run, coverage } = await startHistory(database)
    vendor.set({
      fault({ query }) {
        if (query.date_from !== '2026-07-01') return undefined
        const offset = Number(query.offset)
        const threats = Array.from({ length: 100 }, (_, at) => ({
          id: `endless_${offset + at}`,
          title: 'Endless',
          posted_at: iso(AUGUST_MS - (offset + at + 1) * 1_000),
        }))
        return { json: { threats, pagination: { total: null, has_more: true } } }
      },
    })
    await run({ ms: 3 * HOUR_MS, steps: 300 })
    expect(await coverage('2026-07-01T00:00:00Z')).toMatchObject({
      gaps: [{ to: iso(AUGUST_MS), why: 'cutOff' }],
    })
  }),
  120_000,
)

test(
  'a list that comes again and again is cut off',
  withDatabase('bff', async (database) => {
    const { vendor, run, loads } = await startHistory(database)
    const threats = Array.from({ length: 100 }, (_, at) => ({
      id: `again_${at}`,
      title: 'Again',
      posted_at: iso(AUGUST_MS - (at + 1) * HOUR_MS),
    }))
    vendor.set({
      fault: ({ query }) =>
        query.date_from === '2026-07-01'
          ? { json: { threats, pagination: { total: 900, has_more: true } } }
          : undefined,
    })
    await run()
    expect((await loads()).at(1)).toMatchObject({ state: 'failed', why: 'cutOff' })
  }),
)

test(
  'a vendor that does not keep to the dates is not read over and over',
  withDatabase('bff', async (database) => {
    const { vendor, run, readHistory, loads } = await startHistory(database)
    vendor.set({ isUnbounded: true })
    await run()
    expect(await loads()).toMatchObject([
      { ...AUGUST, state: 'failed', why: 'refused', pages: 1 },
      { why: 'refused' },
    ])
    expect((await readHistory()).ranges).toEqual([])
  }),
)

test(
  'reads a list in another order to its end, and claims it if the total agrees',
  withDatabase('bff', async (database) => {
    const { vendor, run, readHistory, storedIds, records } = await startHistory(database)
    vendor.set({
      sort: (all) =>
        all.toSorted((a, b) => (a.id.at(-1) ?? '').localeCompare(b.id.at(-1) ?? '') || a.atMs - b.atMs),
    })
    await run()
    expect((await readHistory()).ranges).toEqual([
      { from: Date.parse('2026-05-01T00:00:00Z'), to: V1_FROM_MS },
    ])
    const listed = records.filter(({ atMs }) => atMs >= Date.parse('2026-06-10T00:00:00Z'))
    expect(await storedIds()).toEqual(listed.map(({ id }) => id).toSorted())
  }),
)

test(
  'claims nothing about a list in another order without a total',
  withDatabase('bff', async (database) => {
    const { vendor, run, coverage } = await startHistory(database, { everyMs: 3 * HOUR_MS })
    vendor.set({ sort: (all) => all.toSorted((a, b) => b.atMs - a.atMs).toReversed(), totalOf: () => null })
    await run()
    expect(await coverage('2026-07-01T00:00:00Z')).toMatchObject({
      status: 'part',
      gaps: [{ to: iso(V1_FROM_MS) }],
    })
  }),
)

test(
  'distinguishes a total of all records from one of a month, and claims no incomplete month',
  withDatabase('bff', async (database) => {
    const { vendor, run, readHistory, restart } = await startHistory(database)
    vendor.set({ totalOf: (listed) => listed.length + (listed.length > 100 ? 7 : 0) })
    await run()
    const { ranges } = await readHistory()
    expect(ranges.some(({ from, to }) => from < AUGUST_MS && to > JULY_MS)).toBe(false)
    await database.query('delete from history_load')
    await database.query('delete from history_range')
    restart()
    vendor.set({ totalOf: () => 2_000 })
    await run()
    expect((await readHistory()).ranges.at(0)?.to).toBe(V1_FROM_MS)
    expect((await readHistory()).ranges.at(0)?.from).toBeLessThanOrEqual(JULY_MS)
  }),
)

test(
  'records that come and go while a month is read shift its offsets, and none is lost',
  withDatabase('bff', async (database) => {
    const { vendor, step, run, clock, records, storedIds } = await startHistory(database, {
      everyMs: HOUR_MS,
    })
    for (let pages = 0; pages < 2; pages++) clock.wait(await step())
    const gone = new Set(
      records
        .filter(({ atMs }) => atMs >= AUGUST_MS + 14 * DAY_MS && atMs < AUGUST_MS + 20 * DAY_MS)
        .map(({ id }) => id),
    )
    const late = Array.from({ length: 30 }, (_, at) => ({
      id: `late_${at}`,
      title: 'Late',
      atMs: V1_FROM_MS - 1_000 - at,
    }))
    vendor.list([...late.slice(0, 3), ...records.filter(({ id, atMs }) => !gone.has(id) || atMs % 2 === 1)])
    await run()
    const stored = new Set(await storedIds())
    const missed = records.filter(
      ({ id, atMs }) => atMs >= Date.parse('2026-06-10T00:00:00Z') && !stored.has(id),
    )
    expect(missed).toEqual([])
  }),
)

test(
  'the same id in two months is one record',
  withDatabase('bff', async (database) => {
    const { vendor, run, records, storedIds, readHistory } = await startHistory(database)
    const twice = records.filter(({ atMs }) => atMs >= AUGUST_MS - 5 * DAY_MS && atMs < AUGUST_MS)
    vendor.list([
      ...records,
      ...twice.map(({ id, title, atMs }) => ({ id, title, atMs: atMs - 31 * DAY_MS })),
    ])
    await run()
    const ids = await storedIds()
    expect(new Set(ids).size).toBe(ids.length)
    expect((await readHistory()).ranges).toHaveLength(1)
  }),
)

test(
  'reads only with calls that people do not need',
  withDatabase('bff', async (database) => {
    const scarce = {
      date: new Date(NOW_MS).toUTCString(),
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '20',
      'x-ratelimit-reset': String((NOW_MS + DAY_MS / 2) / 1_000),
    }
    const { vendor, run, upstream } = await startHistory(database)
    vendor.set({ headers: scarce })
    await upstream.call('listFeed', {}, { priority: 'person', who: 'u-1', session: 's-1' })
    const calls = vendor.feedCalls().length
    await run({ ms: HOUR_MS })
    expect(vendor.feedCalls().length - calls).toBeLessThanOrEqual(1)
  }),
)

test(
  'stops when it has stored as many records as the limit allows',
  withDatabase('bff', async (database) => {
    const { run, storedIds, loads } = await startHistory(database, { limits: { days: 400, records: 250 } })
    await run()
    expect((await storedIds()).length).toBeLessThanOrEqual(350)
    expect((await loads()).at(-1)).toMatchObject({ state: 'failed', why: 'historyLimit' })
  }),
)

test(
  'waits for the crawls of the sync',
  withDatabase('bff', async (database) => {
    const startedAt = iso(V1_FROM_MS)
    const recheck = { cursor: { set: 'v1', cursor: 'x', used: [] }, startedAt, until: startedAt } as const
    const { run, vendor } = await startHistory(database, {
      sync: { recheck: { ...recheck, cursor: { ...recheck.cursor, used: [] } } },
    })
    await run()
    expect(vendor.feedCalls()).toEqual([])
  }),
)
