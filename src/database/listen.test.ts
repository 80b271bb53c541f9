import { expect, test } from 'vitest'
import { withDatabase } from '#test/support/with-database.ts'
import { listen } from './listen.ts'

const BREAK_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

test(
  'a connection that comes back only after the end is given back to the pool',
  withDatabase('empty', async ({ pool, query }) => {
    const back = Promise.withResolvers<void>()
    let connections = 0
    const slow = Object.create(pool, {
      connect: {
        value: async () => {
          connections += 1
          if (connections > 1) await back.promise
          return pool.connect()
        },
      },
    })
    const stop = await listen(slow, [], () => {})
    await query(BREAK_OTHERS)
    await expect.poll(() => connections).toBe(2)

    const stopped = stop()
    back.resolve()
    await stopped
    expect(pool.totalCount - pool.idleCount).toBe(0)
  }),
)
