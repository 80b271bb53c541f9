import { hostname } from 'node:os'
import { expect, test, vi } from 'vitest'
import type { OpenDatabase } from '#database/open-database.ts'
import { takeDatabase, urlOf } from '#test/support/with-database.ts'
import { openBffDatabase, openMigrated } from './open-migrated.ts'

const MINUTE_MS = 60_000
const WAITING = `
  select from pg_locks join pg_stat_activity using (pid)
   where datname = current_database() and locktype = 'advisory' and not granted`
const LIMIT_MS = 100

/** Another process migrates until the answered function is called. */
async function holdMigration(database: OpenDatabase): Promise<() => Promise<void>> {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const migration = database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [7_276_391])
    held.resolve()
    await over.promise
  })
  await held.promise
  return async () => {
    over.resolve()
    await migration
  }
}

test("waits for another process's migration, however long that takes", async ({ onTestFinished }) => {
  const other = await takeDatabase('empty')
  const endMigration = await holdMigration(other)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())

  const opening = openMigrated('bff', await urlOf(other))
  const countWaiting = async () => (await other.query(WAITING)).rowCount
  await expect.poll(countWaiting).toBe(1)
  vi.advanceTimersByTime(MINUTE_MS)
  await endMigration()
  const database = await opening
  const { rows } = await database.query(`select current_setting('statement_timeout') as limit`)
  expect(rows).toEqual([{ limit: '5s' }])
  await database.close()
})

test('lets a migration take longer than a role is allowed to', async () => {
  const other = await takeDatabase('empty')
  const url = await urlOf(other)
  const endMigration = await holdMigration(other)
  await other.query(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = ${LIMIT_MS}`)
  const waitsForLonger = `${WAITING} and query_start < clock_timestamp() - interval '${2 * LIMIT_MS} ms'`
  const countWaiting = async () => (await other.query(waitsForLonger)).rowCount
  const [database] = await Promise.all([
    openMigrated('service', url),
    expect.poll(countWaiting).toBe(1).then(endMigration),
  ])
  await database.close()
})

test('connections name their process', async () => {
  const other = await takeDatabase('empty')
  const url = await urlOf(other)
  const nameOf = async (database: OpenDatabase) => {
    const { rows } = await database.query(`select current_setting('application_name') as name`)
    await database.close()
    return Object(rows[0]).name
  }
  expect(await nameOf((await openBffDatabase({ url })).database)).toBe(`lantern ${hostname()} bff`)
  const serviceUrl = await urlOf(await takeDatabase('empty'))
  expect(await nameOf(await openMigrated('service', serviceUrl))).toBe(`lantern ${hostname()} service`)
})
