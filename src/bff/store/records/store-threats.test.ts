import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { dropAll, dropBeyond, dropOlder, placeThreats, storeDetail, storeThreats } from './store-threats.ts'
import { findThreat } from './threat-queries.ts'

const AT = '2026-03-10T12:00:00.000Z'
const make = (some: Partial<Threat>) => makeThreat('thr_1', AT, some)
const V1 = make({ set: 'v1', title: 'By v1', severity: null, industries: [], organizations: ['Northwind'] })
const EARLIER = make({
  set: 'earlier',
  title: 'By the earlier API',
  severity: 'high',
  industries: ['Food'],
  organizations: [],
})

async function list(db: Database, ...threats: Threat[]): Promise<number> {
  return storeThreats(db, placeThreats(threats, AT))
}

test.each([[[V1, EARLIER]], [[EARLIER, V1]]])(
  'shows what v1 lists of a record, and adds what only the earlier set lists',
  (order) =>
    withDatabase('bff', async (db) => {
      for (const threat of order) await list(db, threat)
      expect(await findThreat(db, 'thr_1')).toMatchObject({
        set: 'v1',
        title: 'By v1',
        severity: 'high',
        industries: ['Food'],
        organizations: ['Northwind'],
      })
    })(),
)

test(
  'a set that lists a record again changes what it listed itself, and nothing of the other',
  withDatabase('bff', async (db) => {
    await list(db, V1)
    await list(db, EARLIER)
    await list(db, { ...V1, title: 'By v1, later' })
    expect(await findThreat(db, 'thr_1')).toMatchObject({ title: 'By v1, later', severity: 'high' })
    await list(db, { ...EARLIER, industries: ['Energy'] })
    expect(await findThreat(db, 'thr_1')).toMatchObject({ title: 'By v1, later', industries: ['Energy'] })
    expect(await list(db, { ...V1, title: 'By v1, later' })).toBe(0)
    await list(db, { ...V1, title: null })
    expect(await findThreat(db, 'thr_1')).toMatchObject({ title: 'By the earlier API', set: 'v1' })
  }),
)

test(
  'keeps the members of a detail when the other set lists the record',
  withDatabase('bff', async (db) => {
    await list(db, V1)
    await storeDetail(db, { ...V1, excerpt: 'From its own page' })
    await list(db, EARLIER)
    expect(await findThreat(db, 'thr_1')).toMatchObject({ excerpt: 'From its own page', severity: 'high' })
  }),
)

test(
  'a detail that equals the listed record changes nothing',
  withDatabase('bff', async (db) => {
    const derived = make({ severity: 'low', isSeverityDerived: true })
    await list(db, derived)
    expect(await storeDetail(db, derived)).toBe(false)
    expect(await storeDetail(db, { ...derived, title: 'By its own page' })).toBe(true)
    expect(await storeDetail(db, { ...derived, title: 'By its own page' })).toBe(false)
  }),
)

test(
  'what a plan withholds stays as it was known, and is replaced once it is listed',
  withDatabase('bff', async (db) => {
    const withheld = make({ title: null, redacted: ['title', 'organizations'], severity: 'low' })
    await list(db, withheld)
    expect(await findThreat(db, 'thr_1')).toMatchObject({ title: null, redacted: ['title', 'organizations'] })
    await list(db, V1)
    expect(await findThreat(db, 'thr_1')).toMatchObject({ title: 'By v1', redacted: [], severity: null })
    await list(db, withheld)
    expect(await findThreat(db, 'thr_1')).toMatchObject({
      title: 'By v1',
      organizations: ['Northwind'],
      redacted: [],
      severity: 'low',
    })
  }),
)

test(
  'keeps a withdrawn record as long as any other record',
  withDatabase('bff', async (db) => {
    await db.query(
      `insert into listed_threat (source, id, threat, listed_at, gone_at)
       values ('a source', 'thr_old', '{}', '2025-01-31T23:59:59Z', '2025-02-01T00:00:00Z'),
              ('a source', 'thr_new', '{}', '2025-02-01T00:00:00Z', '2025-02-02T00:00:00Z')`,
    )
    await dropOlder(db, '2025-02-01T00:00:00.000Z')
    const { rows } = await db.query('select id from listed_threat')
    expect(rows).toEqual([{ id: 'thr_new' }])
  }),
)

test(
  'deletes many records in small statements, and keeps those at the given time',
  withDatabase('bff', async (db) => {
    await db.query(
      `insert into window_threat (id, sorted_at, threat, by_set, terms, searched_text, victims)
       select 'thr_' || number, '2025-01-01T00:00:00Z'::timestamptz + number * interval '1 minute', '{}', '{}', '{}', '', '{}'
         from generate_series(0, 12000) as number`,
    )
    const counts: number[] = []
    const counted: Database = {
      ...db,
      async query(text, values) {
        const answer = await db.query(text, values)
        if (text.includes('delete from window_threat')) counts.push(answer.rowCount)
        return answer
      },
    }
    expect(await dropOlder(counted, '2025-01-01T00:10:00.000Z')).toBe(10)
    expect(await dropBeyond(counted, 11_000)).toBe('2025-01-01T16:41:00.000Z')
    await dropAll(counted)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12_001)
    expect(Math.max(...counts)).toBe(5_000)
    const { rows } = await db.query('select from window_threat')
    expect(rows).toEqual([])
  }),
)
