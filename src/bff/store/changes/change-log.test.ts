import { expect, onTestFinished, test } from 'vitest'
import { lockStore, placeThreats, storeDetail, storeThreats } from '#bff/store/records/store-threats.ts'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { emptyStore } from '#bff/store/sync/store-page.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { createFakeVendor } from '#test/support/store/fake-vendor.ts'
import { readChangeLog } from '#test/support/store/read-change-log.ts'
import { takeDatabase, urlOf } from '#test/support/with-database.ts'
import { deleteOldChanges, readChanges } from './change-log.ts'
import { readOn } from './change-reader.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const NOW_MS = Date.parse(NOW)

function store(db: Database, ...threats: Threat[]): Promise<number> {
  return storeThreats(db, placeThreats(threats, NOW), () => 'live')
}

/** A page that is stored by a process of its own, which ends in some way before it commits. */
async function storeAndFail(database: OpenDatabase, fail: (tx: Database) => Promise<unknown>): Promise<void> {
  const failing = database.transaction(async (tx) => {
    await lockStore(tx)
    await store(tx, aThreat('lost'))
    await fail(tx)
  })
  await expect(failing).rejects.toThrow()
}

/** Opens a second pool on the same database, which PostgreSQL sees as another process. */
async function openAgain(database: OpenDatabase): Promise<OpenDatabase> {
  const other = await openDatabase({ url: await urlOf(database) })
  onTestFinished(() => other.close())
  return other
}

test('names the fields that have changed, and logs nothing where the same page is stored again', async () => {
  const database = await takeDatabase('bff')
  const first = { ...aThreat('t-1'), organizations: [], severity: 'low' }
  await store(database, first, aThreat('t-2'))
  await store(database, first, aThreat('t-2'))
  await store(database, { ...first, organizations: ['Example GmbH'] })
  await store(database, { ...first, organizations: ['Example GmbH'], severity: 'critical', title: 'Raised' })

  expect(await readChangeLog(database)).toEqual([
    'new t-1 live',
    'new t-2 live',
    'changed t-1 organizations live',
    'changed t-1 title+severity live',
  ])
})

test('what a detail has changed is in the log, and the list without it is no change', async () => {
  const database = await takeDatabase('bff')
  const listed = { ...aThreat('t-1'), organizations: [] }
  await store(database, listed)
  await storeDetail(database, { ...listed, organizations: ['Example GmbH'] })
  await store(database, listed)
  expect(await readChangeLog(database)).toEqual(['new t-1 live', 'changed t-1 organizations past'])
})

test('numbers have no gap after a rollback and after a killed connection', async () => {
  const database = await takeDatabase('bff')
  const other = await openAgain(database)
  await store(database, aThreat('t-1'))
  await storeAndFail(database, async () => {
    throw new Error('as a test wants it')
  })
  await storeAndFail(other, async (tx) => {
    const { rows } = await tx.query('select pg_backend_pid() as pid')
    await database.query('select pg_terminate_backend($1)', [Object(rows[0]).pid])
    await tx.query('select')
  })
  await store(database, aThreat('t-2'))
  expect(await readChangeLog(database)).toEqual(['new t-1 live', 'new t-2 live'])
})

test('two processes that store at the same time share one order without gaps', async () => {
  const database = await takeDatabase('bff')
  const processes = [database, await openAgain(database)]
  const pages = Array.from({ length: 20 }, (_, page) => [aThreat(`a-${page}`), aThreat(`b-${page}`)])
  await Promise.all(
    pages.map((page, at) =>
      processes[at % 2]?.transaction(async (tx) => {
        await lockStore(tx)
        await store(tx, ...page)
      }),
    ),
  )
  const log = await readChangeLog(database)
  expect(log).toHaveLength(40)
  expect(log.filter((_, at) => at % 2 === 0).every((line) => line.startsWith('new a-'))).toBe(true)
})

test('the first fill is the past, what comes later is live, and a withdrawn record leaves', async () => {
  const database = await takeDatabase('bff')
  const record = (id: string, hoursAgo: number) => ({ id, title: id, time: NOW_MS - hoursAgo * HOUR_MS })
  const vendor = createFakeVendor(Array.from({ length: 120 }, (_, at) => record(`old_${at}`, 100 + at)))
  let elapsed = 0
  const clock = { elapsedMs: () => elapsed, nowMs: () => NOW_MS + elapsed }
  const { upstream } = vendor
  const step = createReadStep({
    database,
    upstream,
    clock,
    source: 'a source',
    history: { days: 30, records: 1_000 },
  })
  const runUntil = async (length: number) => {
    for (let steps = 0; steps < 100; steps++) {
      if ((await readChangeLog(database)).length >= length) return
      elapsed += await step()
    }
  }
  await runUntil(120)
  const filled = await readChangeLog(database)
  expect(filled).toHaveLength(120)
  expect(new Set(filled.map((line) => line.replace(/\d+/, 'n')))).toEqual(new Set(['new old_n past']))

  vendor.records.push({ id: 'fresh', title: 'fresh', time: NOW_MS + elapsed })
  await runUntil(121)
  vendor.records.splice(50, 1)
  elapsed += 24 * HOUR_MS
  await runUntil(122)
  expect((await readChangeLog(database)).slice(120)).toEqual(['new fresh live', 'removed old_50 past'])
})

test('a reader continues where it stopped, after a rollback and in another process', async () => {
  const database = await takeDatabase('bff')
  const other = await openAgain(database)
  const read = (db: OpenDatabase, limit = 100) => db.transaction((tx) => readOn(tx, 'tests', limit))
  await store(database, aThreat('before'))
  expect(await read(database)).toMatchObject({ changes: [], hasMissed: false })

  await store(database, aThreat('t-1'), aThreat('t-2'), aThreat('t-3'))
  const failing = database.transaction(async (tx) => {
    expect((await readOn(tx, 'tests', 100)).changes).toHaveLength(3)
    throw new Error('as a test wants it')
  })
  await expect(failing).rejects.toThrow('as a test wants it')
  const pages = await Promise.all([read(database, 1), read(other, 1), read(database, 1), read(other, 1)])
  const ids = pages.flatMap(({ changes }) => changes.map(({ threatId }) => threatId))
  expect(ids.toSorted()).toEqual(['t-1', 't-2', 't-3'])
  expect(pages.every(({ hasMissed }) => !hasMissed)).toBe(true)
  expect(await read(other)).toMatchObject({ changes: [], hasMissed: false })
})

test('reports missed changes to a reader whose cursor is older than the log', async () => {
  const database = await takeDatabase('bff')
  const read = () => database.transaction((tx) => readOn(tx, 'slow', 100))
  await read()
  await store(database, aThreat('t-1'), aThreat('t-2'))
  await database.query(`update threat_change set at = at - interval '31 days'`)
  await store(database, aThreat('t-3'))
  const { rows } = await database.query(`select now() - interval '30 days' as before`)
  expect(await deleteOldChanges(database, String(Object(rows[0]).before), 1)).toBe(1)
  expect(await deleteOldChanges(database, String(Object(rows[0]).before), 100)).toBe(1)

  expect(await read()).toMatchObject({ changes: [{ threatId: 't-3' }], hasMissed: true })
  expect(await read()).toMatchObject({ changes: [], hasMissed: false })
})

test('reports missed changes to each reader of an emptied store, and continues the numbers', async () => {
  const database = await takeDatabase('bff')
  await store(database, aThreat('t-1'))
  const { last } = await readChanges(database, { after: 0, limit: 1 })
  await emptyStore(database)
  expect(await readChanges(database, { after: last, limit: 1 })).toMatchObject({
    changes: [],
    hasMissed: true,
  })
  await store(database, aThreat('t-1'))
  const page = await readChanges(database, { after: last, limit: 1 })
  expect(page).toMatchObject({ changes: [{ threatId: 't-1', kind: 'new' }], hasMissed: true })
  expect(page.next).toBeGreaterThan(last + 1)
  // A database that was restored from a backup is older than what a page has seen.
  expect(await readChanges(database, { after: page.last + 5, limit: 1 })).toMatchObject({
    changes: [],
    hasMissed: true,
    next: page.last,
  })
})
