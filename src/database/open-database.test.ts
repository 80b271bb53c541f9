import { Socket } from 'node:net'
import { expect, inject, test, vi } from 'vitest'
import { openTunnel } from '#test/support/open-tunnel.ts'
import { withDatabase } from '#test/support/with-database.ts'
import type { Database } from './database.ts'
import { isDatabaseAway } from './is-database-away.ts'
import { openDatabase } from './open-database.ts'

test(
  'gives counts as numbers and times as text',
  withDatabase('bff', async (database) => {
    const { rows } = await database.query(
      `select count(*) as count, date '2026-01-02' as day, timestamptz '2026-01-02T03:04:05Z' as instant from generate_series(1, 3)`,
    )
    expect(rows).toEqual([{ count: 3, day: '2026-01-02', instant: '2026-01-02 03:04:05+00' }])
  }),
)

test(
  'folds case in any script',
  withDatabase('bff', async (database) => {
    const { rows } = await database.query(
      `select lower('ÀÉÎ ЖУК ΣΆΒ') as lower, to_tsvector('simple', 'Ärger Жук') @@ to_tsquery('simple', 'ärger & жук') as found`,
    )
    expect(rows).toEqual([{ lower: 'àéî жук σάβ', found: true }])
  }),
)

test(
  'keeps all of a transaction or nothing',
  withDatabase('empty', async (database) => {
    await database.query('create table color (name text)')
    const half = database.transaction(async (tx) => {
      await tx.query(`insert into color values ('red')`)
      await tx.transaction((inner) => inner.query(`insert into color values ('blue')`))
      throw new Error('Changed my mind')
    })
    await expect(half).rejects.toThrow('Changed my mind')
    expect((await database.query('select * from color')).rowCount).toBe(0)
  }),
)

test(
  'runs a transaction again that lost a race, three times at most',
  withDatabase('empty', async (database) => {
    const runs: number[] = []
    const lose = async (wins: number) => {
      runs.length = 0
      return database.transaction(async (tx) => {
        runs.push(1)
        if (runs.length <= wins) await tx.query(`do $$ begin raise exception using errcode = '40001'; end $$`)
        return 'won'
      })
    }
    await expect(lose(3)).resolves.toBe('won')
    expect(runs).toHaveLength(4)
    await expect(lose(4)).rejects.toThrow()
    expect(runs).toHaveLength(4)
  }),
)

test(
  'survives a connection that breaks',
  withDatabase('empty', async (database) => {
    const breakIt = database.transaction((tx) => tx.query('select pg_terminate_backend(pg_backend_pid())'))
    await expect(breakIt).rejects.toThrow()
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  }),
)

test('fails on a silent server, faster the second time, and works again when it answers', async () => {
  const address = new URL(`${inject('clusterUrl')}postgres`)
  const tunnel = await openTunnel({ host: address.hostname, port: Number(address.port) })
  address.port = String(tunnel.port)
  const database = await openDatabase({ url: address.href, statementTimeoutMs: 100 })
  const fail = (query: Promise<unknown>) => query.catch((reason: unknown) => isDatabaseAway(reason))
  tunnel.freeze()
  expect(await fail(database.query('select 1'))).toBe(true)
  // The pool connects only where it may wait for the server.
  const connect = vi.spyOn(database.pool, 'connect')
  expect(await fail(database.transaction((tx) => tx.query('select 1')))).toBe(true)
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()

  tunnel.thaw()
  await expect
    .poll(() => fail(database.query('select 1 as one')))
    .toMatchObject({
      rows: [{ one: 1 }],
    })
  await database.close()
  await tunnel.cut()
})

test('soon looks whether the server of a silent connection is still there', async ({ onTestFinished }) => {
  const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(() => setKeepAlive.mockRestore())
  const database = await openDatabase({ url: `${inject('clusterUrl')}postgres` })
  expect(setKeepAlive).toHaveBeenCalledWith(true, 30_000)
  await database.close()
})

test(
  'answers statements while more transactions than connections wait for one lock',
  withDatabase('empty', async ({ pool }) => {
    const database = await openDatabase({ url: pool.options.connectionString ?? '', max: 5 })
    const lock = (tx: Database) => tx.query('select pg_advisory_xact_lock(1)')
    const ending = Promise.withResolvers<void>()
    const holding = database.transaction(async (tx) => {
      await lock(tx)
      await ending.promise
    })
    const waiting = Array.from({ length: 20 }, () => database.transaction(lock))
    try {
      expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      // The statement may be answered before the last transaction has its connection.
      await expect.poll(() => database.waitingCount()).toBe(18)
    } finally {
      ending.resolve()
      await Promise.all([holding, ...waiting])
      await database.close()
    }
  }),
)

test(
  'prepares a statement that runs often once for each connection, and counts every run alike',
  withDatabase('empty', async ({ pool }) => {
    const database = await openDatabase({ url: pool.options.connectionString ?? '', max: 1 })
    try {
      const counts: unknown[] = []
      for (let run = 0; run < 8; run++) {
        counts.push((await database.query('select $1::int + 1 as next', [run])).rows[0])
      }
      expect(counts).toEqual(Array.from({ length: 8 }, (_, run) => ({ next: run + 1 })))

      const { rows } = await database.query(
        `select statement, generic_plans::int as generic from pg_prepared_statements`,
      )
      expect(rows).toEqual([{ statement: 'select $1::int + 1 as next', generic: 0 }])
    } finally {
      await database.close()
    }
  }),
)

test(
  'plans a prepared statement once for all values where that is wanted',
  withDatabase('empty', async ({ pool }) => {
    const database = await openDatabase({
      url: pool.options.connectionString ?? '',
      max: 1,
      hasSharedPlans: true,
    })
    try {
      for (let run = 0; run < 20; run++) await database.query('select $1::int + 1 as next', [run])

      const { rows } = await database.query(
        `select generic_plans > 0 as "isShared" from pg_prepared_statements`,
      )
      expect(rows).toEqual([{ isShared: true }])
    } finally {
      await database.close()
    }
  }),
)

test(
  'continues after a prepared statement fails, and after its table gets a column',
  withDatabase('empty', async ({ pool }) => {
    const database = await openDatabase({ url: pool.options.connectionString ?? '', max: 1 })
    try {
      await database.query('create table color (name text primary key)')
      const add = (name: string) =>
        database.transaction((tx) => tx.query('insert into color (name) values ($1)', [name]))
      for (let run = 0; run < 6; run++) await add(`color ${run}`)
      await expect(add('color 1')).rejects.toThrow('duplicate key')
      await database.query('alter table color add column hue integer')
      await add('color 6')

      expect((await database.query('select count(*) as count from color')).rows).toEqual([{ count: 7 }])
    } finally {
      await database.close()
    }
  }),
)
