import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { Random } from '#test/support/random.ts'
import { NOON_MS } from '#test/support/start-governed.ts'
import { openUnruly } from '#test/support/store/read-unruly.ts'
import type { SentRecord, UnrulyList } from '#test/support/store/unruly-list.ts'
import { earlierRecord, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { readSyncState } from './sync-state.ts'

type Set = UnrulyList['set']

function sent(set: Set, id: string, time: number): SentRecord {
  const at = new Date(time).toISOString()
  return {
    time,
    record: set === 'v1' ? v1Record({ id, published_at: at }) : earlierRecord({ id, posted_at: at }),
  }
}

/** Records of 29 days, newest first. */
function month(set: Set, count: number): SentRecord[] {
  return Array.from({ length: count }, (_, at) =>
    sent(set, `thr_${at}`, NOON_MS - Math.floor((at * 29 * DAY_MS) / count)),
  )
}

const ORDERS = {
  'oldest first': (records: readonly SentRecord[]) => records.toReversed(),
  shuffled(records: readonly SentRecord[]) {
    const random = new Random(3)
    const places = records.map((record) => ({ record, at: random.next() }))
    return places.toSorted((a, b) => a.at - b.at).map(({ record }) => record)
  },
  'the oldest page first': (records: readonly SentRecord[]) =>
    [2, 1, 0].flatMap((page) => records.slice(page * 100, (page + 1) * 100)),
}

async function open(set: Set, records: readonly SentRecord[], some: Partial<UnrulyList> = {}) {
  const list: UnrulyList = {
    set,
    records,
    pageMax: 100,
    total: (found) => found,
    isBoundApplied: true,
    further: 'fine',
    contentType: 'application/json',
    ...some,
  }
  const database = await takeDatabase('bff')
  const unruly = await openUnruly(database, list)
  onTestFinished(unruly.close)
  return { ...unruly, list, database }
}

const bothSets = (['v1', 'earlier'] as const).flatMap((set) =>
  Object.keys(ORDERS).flatMap((order) =>
    [true, false].map((isBoundApplied) => ({ set, order, isBoundApplied })),
  ),
)

test.each(bothSets)(
  'reads all of a $set list that is $order; the list respects bounds: $isBoundApplied',
  async ({ set, order, isBoundApplied }) => {
    const inOrder = ORDERS[order as keyof typeof ORDERS]
    const records = month(set, 250)
    const { settle, feed, list, clock, standIn } = await open(set, inOrder(records), { isBoundApplied })
    await settle()
    expect(await feed()).toMatchObject({ total: 250, isTotalExact: true, state: { status: 'complete' } })
    // Later records are found at any position.
    const newer = Array.from({ length: 5 }, (_, at) => sent(set, `new_${at}`, clock.nowMs() - at * 1_000))
    list.records = inOrder([...newer, ...records])
    standIn.calls.length = 0
    clock.wait(10 * 60_000)
    await settle()
    expect(await feed()).toMatchObject({ total: 255, isTotalExact: true })
    expect(standIn.calls.length).toBeLessThanOrEqual(isBoundApplied && set === 'v1' ? 2 : 4)
  },
)

const FIRST_MINUTE_MAX = 20

test.each(['repeatsForever', 'emptyForever', 'inCircles'] as const)(
  'a list that %s is read once, polled no more than others, and reported as endless',
  async (further) => {
    for (const set of ['v1', 'earlier'] as const) {
      const { settle, feed, standIn, clock } = await open(set, month(set, 250), {
        further,
        isBoundApplied: false,
      })
      await settle()
      const { ids, isTotalExact, missing, state } = await feed()
      expect(ids).toHaveLength(250)
      expect({ isTotalExact, status: state.status }).toEqual({ isTotalExact: false, status: 'partial' })
      expect(missing?.notes).toEqual([expect.stringMatching(/list does not end: Lantern read \d+ pages/)])
      expect(standIn.calls.length).toBeLessThanOrEqual(FIRST_MINUTE_MAX)
      clock.wait(60_000)
      standIn.calls.length = 0
      await settle()
      expect(standIn.calls.length).toBeLessThanOrEqual(1)
    }
  },
)

test('omits the bound if the vendor refuses a cursor with one, and remembers that', async () => {
  const { settle, feed, standIn, list, clock, restart } = await open('v1', month('v1', 450), {
    further: 'refusedWithBound',
  })
  await settle()
  expect(await feed()).toMatchObject({ total: 450, isTotalExact: true, state: { status: 'complete' } })
  expect(standIn.calls.filter(({ query }) => query.since && query.cursor)).toHaveLength(1)
  clock.wait(DAY_MS)
  restart()
  list.records = [
    ...Array.from({ length: 220 }, (_, at) => sent('v1', `new_${at}`, clock.nowMs() - at * 1_000)),
    ...list.records,
  ]
  await settle()
  expect(await feed()).toMatchObject({ total: 670, isTotalExact: true })
  expect(standIn.calls.filter(({ query }) => query.since && query.cursor)).toHaveLength(1)
})

test('a list that is oldest first is read by later bounds where its cursor is refused', async () => {
  const { settle, feed } = await open('v1', month('v1', 450).toReversed(), { further: 'refused' })
  await settle()
  expect(await feed()).toMatchObject({ total: 450, isTotalExact: true, state: { status: 'complete' } })
})

test('reports a list as incomplete if its cursor is always refused, in few calls', async () => {
  const { pass, feed, standIn } = await open('v1', month('v1', 450), { further: 'refused' })
  await pass(6 * HOUR_MS)
  const { ids, isTotalExact, missing, state } = await feed()
  expect(ids).toHaveLength(100)
  expect({ isTotalExact, status: state.status }).toEqual({ isTotalExact: false, status: 'filling' })
  expect(missing?.notes).toEqual([expect.stringMatching(/refuses the next page/)])
  const further = standIn.calls.filter(({ query }) => query.cursor)
  expect(further.length).toBeLessThanOrEqual(16)
})

test('requests small pages as soon as a key is known as a trial key', async () => {
  const { settle, standIn, list, restart, clock, feed } = await open('v1', month('v1', 120))
  const expires = new Date(NOON_MS + 9 * DAY_MS).toISOString()
  const limits: string[] = []
  standIn.play('/api/v1/threats', ({ query }) => {
    limits.push(query.limit ?? '')
    const isTooLong = Number(query.limit) > 50
    const headers = { 'x-trial-expires': expires }
    if (isTooLong) return { status: 400, headers, json: { error: 'limit' } }
    const at = Number(query.cursor ?? 0)
    const cursor = at + 50 < 120 ? String(at + 50) : null
    return {
      headers,
      json: {
        data: list.records.slice(at, at + 50).map(({ record }) => record),
        meta: { total: 120, cursor },
      },
    }
  })
  await settle()
  expect(limits).toEqual(['100', '50', '50', '50'])
  // Known to whoever goes on.
  restart()
  clock.wait(HOUR_MS)
  await settle()
  expect(new Set(limits.slice(1))).toEqual(new Set(['50']))
  expect((await feed()).total).toBe(120)
})

test('a whole crawl removes missing records from lists, but keeps them available by id', async () => {
  for (const set of ['v1', 'earlier'] as const) {
    const { settle, feed, list, clock, database } = await open(set, month(set, 250))
    await settle()
    list.records = list.records.filter((_, at) => at !== 4 && at !== 200)
    // Recent records are compared within the hour; older ones once the total has differed at two looks.
    for (const ms of [61 * 60_000, 60_000, 61 * 60_000, 21 * 60_000]) {
      clock.wait(ms)
      await settle()
    }
    const { ids, total, isTotalExact } = await feed()
    expect({ total, isTotalExact }).toEqual({ total: 248, isTotalExact: true })
    expect(ids).not.toContain('thr_4')
    const { rows } = await database.query(
      'select id from listed_threat where gone_at is not null order by id',
    )
    expect(rows).toEqual([{ id: 'thr_200' }, { id: 'thr_4' }])
  }
})

const NO_ID: SentRecord = { record: { title: 'No id' }, time: null }

test.each<[string, (records: readonly SentRecord[]) => Partial<UnrulyList>]>([
  ['a page cannot be read', (records) => ({ records, further: 'refused' })],
  ['the list breaks off', (records) => ({ records: records.slice(0, 12), further: 'inCircles' })],
  ['a record in it is unreadable', (records) => ({ records: [NO_ID, ...records.slice(1)] })],
  ['it is shorter than it says', (records) => ({ records: records.slice(1), total: () => 250 })],
])('no record counts as deleted if %s', async (_, change) => {
  const { pass, list, database } = await open('v1', month('v1', 250), { isBoundApplied: false, pageMax: 10 })
  await pass(HOUR_MS / 2)
  Object.assign(list, change(list.records.filter((_record, at) => at !== 2)))
  await pass(1.5 * HOUR_MS)
  const { rowCount } = await database.query(`select from window_threat where id = 'thr_2'`)
  expect(rowCount).toBe(1)
})

const BROKEN: SentRecord[] = [null, 'text', { title: 'No id' }, { title: 'No id' }].map((record) => ({
  record,
  time: null,
}))

test('counts what it cannot read with an example, until it is mended', async () => {
  for (const set of ['v1', 'earlier'] as const) {
    const { settle, feed, list, clock } = await open(set, [
      ...month(set, 150),
      ...BROKEN,
      ...month(set, 160).slice(150),
    ])
    await settle()
    const { ids, isTotalExact, missing, state } = await feed()
    expect(ids).toHaveLength(160)
    expect({ isTotalExact, status: state.status }).toEqual({ isTotalExact: false, status: 'partial' })
    expect(missing).toMatchObject({ total: null, unreadable: { count: 4 } })
    expect(missing?.unreadable?.example).toMatch(/^record \d+ on page 2 of the list$/)
    expect(missing?.unreadable?.reason).toMatch(/^(no id|not an object)$/)
    for (let looks = 0; looks < 5; looks++) {
      clock.wait(60_000)
      await settle()
    }
    expect((await feed()).missing?.unreadable?.count).toBe(4)
    list.records = month(set, 160)
    clock.wait(2 * HOUR_MS)
    await settle()
    expect(await feed()).toMatchObject({ total: 160, isTotalExact: true, state: { status: 'complete' } })
  }
})

test.each<[string, UnrulyList['total'], object | undefined]>([
  ['says more than it gives', (found) => found && found + 170, { total: { said: 420, read: 250 } }],
  ['says more whatever is asked, and heeds no bound', () => 420, { total: { said: 420, read: 250 } }],
  ['says how many the page has', (_, onPage) => onPage, undefined],
  ['says nothing', () => null, undefined],
  ['says less than it gives', () => 3, undefined],
])('compares the total of a list that %s', async (_, total, missing) => {
  for (const set of ['v1', 'earlier'] as const) {
    const isBoundApplied = total(0, 0, 0) !== 420
    const { pass, feed } = await open(set, month(set, 250), { total, isBoundApplied })
    await pass(2 * HOUR_MS)
    const found = await feed()
    expect(found.ids).toHaveLength(250)
    expect(found.isTotalExact).toBe(missing === undefined)
    if (missing) expect(found.missing).toMatchObject(missing)
    else expect(found.missing).toBeUndefined()
  }
})

test('a total of all records, beyond the requested bound, does not make a list incomplete', async () => {
  for (const set of ['v1', 'earlier'] as const) {
    const old = Array.from({ length: 300 }, (_, at) => sent(set, `old_${at}`, NOON_MS - (60 + at) * DAY_MS))
    const all = [...month(set, 250), ...old]
    const { pass, feed, standIn } = await open(set, all, { total: (_found, _page, every) => every })
    await pass(2 * HOUR_MS)
    expect(await feed()).toMatchObject({ total: 250, isTotalExact: true, state: { status: 'complete' } })
    const later = standIn.calls.filter(
      ({ query }) => (query.since ?? query.date_from ?? '') > new Date(NOON_MS).toISOString(),
    )
    expect(later).toHaveLength(1)
  }
})

test('claims nothing of an unordered list before its end, and remembers that it is unordered', async () => {
  const { settle, feed, database, restart, clock, standIn } = await open(
    'v1',
    ORDERS.shuffled(month('v1', 450)),
  )
  await settle(2)
  const { coverage, isTotalExact, state } = await feed()
  expect(coverage).toMatchObject({ status: 'none', from: null })
  expect({ isTotalExact, status: state.status }).toEqual({ isTotalExact: false, status: 'filling' })
  restart()
  await settle()
  expect(await feed()).toMatchObject({ total: 450, isTotalExact: true })
  expect(await readSyncState(database)).toMatchObject({
    list: { order: 'none' },
    storedFrom: '2026-02-08T00:00:00.000Z',
  })
  restart()
  clock.wait(60_000)
  standIn.calls.length = 0
  await settle()
  expect(standIn.calls).toHaveLength(1)
})
