import { expect, test } from 'vitest'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import {
  dropAll,
  dropOlder,
  nextRevision,
  placeThreats,
  storeThreats,
} from '#bff/store/records/store-threats.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { systemClock } from '#bff/time/clock.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { rowQueryOf } from '#test/support/query/row-query-of.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { facetsOf, selectRows, UNBOUNDED } from './select-rows.ts'
import { createThreatIndex } from './threat-index.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const NOW_MS = Date.parse(NOW)

function threat(at: number, some: Partial<Threat> = {}): Threat {
  const none = {
    excerpt: null,
    severity: null,
    countries: [],
    industries: [],
    organizations: [],
    domains: [],
  }
  const publishedAt = new Date(NOW_MS - at * 3_600_000).toISOString()
  const named = { title: `Record ${at}`, category: 'Other', actors: [], redacted: [] }
  return { id: `thr_${at}`, set: 'v1', ...none, ...named, publishedAt, ...some }
}

async function start(database: OpenDatabase, threats: Threat[]) {
  const write = async (some: Threat[], source = 'a source') => {
    await storeThreats(database, placeThreats(some, NOW))
    await writeSyncState(database, makeSyncState(NOW, { source, revision: await nextRevision(database) }))
  }
  await write(threats)
  const index = createThreatIndex({ database, clock: systemClock, source: 'a source' })
  /** The ids that a filter finds once the notice of the change has come, and the counts of categories. */
  const find = async (filter: ThreatFilter = {}) => {
    index.forget()
    const { rows } = await index.current()
    const selection = selectRows(rows, { filter, query: rowQueryOf(filter.q), bounds: UNBOUNDED })
    return {
      ids: Array.from(selection.matched, (row) => rows.ids[row]),
      categories: facetsOf(rows, selection).category,
    }
  }
  await find()
  return { write, find, index }
}

test(
  'inserts new records between the stored ones',
  withDatabase('bff', async (database) => {
    const { write, find } = await start(database, [threat(1), threat(3)])
    await write([threat(2, { category: 'DDoS' }), threat(0), threat(4)])
    expect((await find()).ids).toEqual(['thr_0', 'thr_1', 'thr_2', 'thr_3', 'thr_4'])
    expect(await find({ q: 'record 2' })).toEqual({
      ids: ['thr_2'],
      categories: [{ value: 'DDoS', count: 1 }],
    })
  }),
)

test(
  'applies a changed record, with its new position and values',
  withDatabase('bff', async (database) => {
    const { write, find } = await start(database, [threat(1), threat(2), threat(3)])
    await write([threat(0, { id: 'thr_3', title: 'Renamed', category: 'DDoS' })])
    expect((await find()).ids).toEqual(['thr_3', 'thr_1', 'thr_2'])
    expect((await find({ q: 'renamed' })).ids).toEqual(['thr_3'])
    expect((await find({ q: '"record 3"' })).ids).toEqual([])
    expect((await find()).categories).toEqual([
      { value: 'Other', count: 2 },
      { value: 'DDoS', count: 1 },
    ])
  }),
)

test(
  'spells values as records do, also for queries during an update',
  withDatabase('bff', async (database) => {
    const { write, find } = await start(database, [threat(1)])
    await write([threat(2, { category: 'DDoS' })])
    await Promise.all(Array.from({ length: 8 }, () => find()))
    await write([threat(3, { category: 'Leak' })])
    expect((await find()).categories.map(({ value }) => value).sort()).toEqual(['DDoS', 'Leak', 'Other'])
  }),
)

test(
  'removes records that are too old, and a deleted record between others',
  withDatabase('bff', async (database) => {
    const { write, find } = await start(database, [threat(1), threat(2), threat(3), threat(4)])
    await dropOlder(database, threat(3).publishedAt ?? '')
    await write([threat(0)])
    expect((await find()).ids).toEqual(['thr_0', 'thr_1', 'thr_2', 'thr_3'])
    await database.query(`delete from window_threat where id = 'thr_2'`)
    await write([])
    expect((await find()).ids).toEqual(['thr_0', 'thr_1', 'thr_3'])
  }),
)

test(
  'removes deleted records without loading the others again',
  withDatabase('bff', async (database) => {
    let loads = 0
    const counting: OpenDatabase = {
      ...database,
      transaction: (run) => database.transaction(run),
      async query(text, values) {
        if (text.includes('searched_text as text')) loads++
        return database.query(text, values)
      },
    }
    const { find, write } = await start(counting, [threat(1), threat(2), threat(3)])
    expect(loads).toBe(1)
    loads = 0
    await database.query(`delete from window_threat where id = 'thr_2'`)
    await write([])
    expect((await find()).ids).toEqual(['thr_1', 'thr_3'])
    await database.query(`delete from window_threat where id = 'thr_1'`)
    await write([threat(4, { title: 'Record 2' })])
    expect((await find({ q: '"record 2"' })).ids).toEqual(['thr_4'])
    expect(loads).toBe(0)
  }),
)

test(
  'spells values as the records of a new crawl do, also for a known record',
  withDatabase('bff', async (database) => {
    const { write, find } = await start(database, [threat(1, { category: 'ransomware' }), threat(2)])
    await dropAll(database)
    await write([threat(2), threat(3, { category: 'Ransomware' })])
    expect((await find()).categories.map(({ value }) => value).sort()).toEqual(['Other', 'Ransomware'])
  }),
)

test(
  'contains nothing of an emptied store, or of another source',
  withDatabase('bff', async (database) => {
    const { write, find, index } = await start(database, [threat(1), threat(2)])
    await dropAll(database)
    expect((await find()).ids).toEqual([])
    await write([threat(5)])
    expect((await find()).ids).toEqual(['thr_5'])
    await write([threat(6)], 'another source')
    expect((await find()).ids).toEqual([])
    expect((await index.current()).sync).toBeNull()
  }),
)

test(
  'orders records of one moment as PostgreSQL does, whatever their ids are written in',
  withDatabase('bff', async (database) => {
    const ids = ['b', 'a', 'é', '\u{1f512}', '\uffee', 'B']
    const { find } = await start(
      database,
      ids.map((id) => threat(1, { id })),
    )
    const { rows } = await database.query('select id from window_threat order by sorted_at desc, id desc')
    expect((await find()).ids).toEqual(rows.map((row) => Object(row).id))
  }),
)

test(
  'loads everything once, also with changes and queries during a long load',
  withDatabase('bff', async (database) => {
    await start(database, [threat(1), threat(2)])
    const { promise: loading, resolve: endLoading } = Promise.withResolvers<void>()
    let elapsedMs = 0
    let loads = 0
    let reads = 0
    const slow: Database = {
      ...database,
      async query(text, values) {
        if (text.includes('as "revision"')) reads++
        if (text.includes('from window_threat')) {
          loads++
          await loading
        }
        return database.query(text, values)
      },
    }
    const clock = { ...systemClock, elapsedMs: () => elapsedMs }
    const index = createThreatIndex({ database: slow, clock, source: 'a source' })
    const answers = Array.from({ length: 5 }, () => {
      index.forget()
      return index.current()
    })
    await expect.poll(() => loads).toBe(1)
    index.forget()
    answers.push(index.current())
    elapsedMs += 10_000
    endLoading()
    const states = await Promise.all(answers)
    expect(states.map(({ rows }) => rows.count)).toEqual(answers.map(() => 2))
    expect([loads, reads]).toEqual([1, 2])

    // A read that took long is not stale at once.
    await index.current()
    expect(reads).toBe(2)
  }),
)

test(
  'reads again once ten times as long has passed as the last reading took',
  withDatabase('bff', async (database) => {
    let elapsedMs = 0
    let reads = 0
    const slow: Database = {
      ...database,
      async query(text, values) {
        if (text.includes('as "revision"')) reads++
        elapsedMs += 100
        return database.query(text, values)
      },
    }
    const clock = { ...systemClock, elapsedMs: () => elapsedMs }
    const index = createThreatIndex({ database: slow, clock, source: 'a source' })
    await index.current()
    const tookMs = elapsedMs
    elapsedMs = 11 * tookMs - 1
    await index.current()
    expect(reads).toBe(1)
    elapsedMs = 11 * tookMs
    await index.current()
    expect(reads).toBe(2)
    index.forget()
    await index.current()
    expect(reads).toBe(3)
  }),
)

test(
  'distinguishes the texts of fields, also in records that an earlier version stored',
  withDatabase('bff', async (database) => {
    const named = { organizations: ['Acme', 'Lock Ltd'], domains: ['acme.example'], industries: ['Lock'] }
    const { find } = await start(database, [threat(1, named), threat(2, { title: 'Acme' })])
    const found = { 'victim:acme': ['thr_1'], 'victim:"acme lock"': [], 'domain:acme*': ['thr_1'] }
    for (const [q, ids] of Object.entries(found)) expect((await find({ q })).ids).toEqual(ids)

    await database.query('update window_threat set terms = trim_array(terms, 1)')
    const index = createThreatIndex({ database, clock: systemClock, source: 'a source' })
    const { rows } = await index.current()
    for (const [q, ids] of Object.entries(found)) {
      const { matched } = selectRows(rows, { filter: {}, query: rowQueryOf(q), bounds: UNBOUNDED })
      expect(Array.from(matched, (row) => rows.ids[row])).toEqual(ids)
    }
  }),
)

test(
  'knows which rows share a case, and reads again those that have changed',
  withDatabase('bff', async (database) => {
    const { write, index } = await start(database, [threat(1), threat(2), threat(3), threat(4)])
    await placeAllClaims(database)
    let read = ''
    const watched: OpenDatabase = {
      ...database,
      transaction: (run) => database.transaction(run),
      query(text, values) {
        read += text
        return database.query(text, values)
      },
    }
    const own = createThreatIndex({ database: watched, clock: systemClock, source: 'a source' })
    /** The ids of each case that has several. */
    const casesOf = async (one: typeof own) => {
      one.forget()
      const { rows, cases } = await one.current()
      const found = cases.ids.map((_, at) => {
        const range = cases.rows.subarray(cases.starts[at] ?? 0, cases.starts[at + 1] ?? 0)
        expect(Array.from(range, (row) => cases.numbers[row])).toEqual(Array(range.length).fill(at))
        return Array.from(range, (row) => rows.ids[row]?.slice(4)).join('+')
      })
      expect(cases.numbers.filter((number) => number >= 0)).toHaveLength(cases.rows.length)
      return found.toSorted()
    }
    const join = (one: number, other: number) =>
      database.query(
        'update case_claim set case_id = (select case_id from case_claim where threat_id = $1) where threat_id = $2',
        [`thr_${one}`, `thr_${other}`],
      )
    const split = (id: number) =>
      database.query('update case_claim set case_id = own_id where threat_id = $1', [`thr_${id}`])
    expect(await casesOf(own)).toEqual([])
    await join(3, 1)
    await join(2, 4)
    expect(await casesOf(own)).toEqual(['1+3', '2+4'])
    // One that starts now reads the same.
    expect(await casesOf(createThreatIndex({ database, clock: systemClock, source: 'a source' }))).toEqual([
      '1+3',
      '2+4',
    ])
    await write([threat(0)])
    expect(await casesOf(own)).toEqual(['1+3', '2+4'])
    await split(1)
    await join(2, 3)
    expect(await casesOf(own)).toEqual(['2+3+4'])
    await database.query(`delete from window_threat where id in ('thr_3', 'thr_4')`)
    await write([])
    expect(await casesOf(own)).toEqual([])
    read = ''
    await casesOf(own)
    expect(read).not.toContain('"caseId"')
    expect(await casesOf(index)).toEqual([])
  }),
)
