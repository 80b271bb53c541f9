import { expect, onTestFinished, test } from 'vitest'
import type { LiveEvent } from '#contract/bff/live.ts'
import { listen } from '#database/listen.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { liveChannel, notifyLive } from './live-channel.ts'
import { LiveHub } from './live-hub.ts'

test(
  'an event of one process reaches the pages of others, without its IDs if they are too many',
  withDatabase('bff', async (database) => {
    const heard: LiveEvent[] = []
    const hub = new LiveHub()
    hub.subscribe({ accountId: 'u-1', hear: (event) => heard.push(event), end() {} })
    const stop = await listen(database.pool, [liveChannel((event) => hub.publish(event))], (error) => {
      throw error
    })
    onTestFinished(stop)
    const many = Array.from({ length: 500 }, (_, at) => `a-rather-long-id-${at}`)

    await notifyLive(database, { kind: 'triage', ids: ['thr_1'] })
    await database.query(`select pg_notify('lantern_live', 'nonsense')`)
    await database.query(`select pg_notify('lantern_live', '{"kind":"of tomorrow"}')`)
    await notifyLive(database, { kind: 'triage', ids: many })

    await expect.poll(() => heard).toEqual([{ kind: 'triage', ids: ['thr_1'] }, { kind: 'triage' }])
    await stop()
  }),
)
