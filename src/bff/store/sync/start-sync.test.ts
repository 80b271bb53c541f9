import { once } from 'node:events'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { storeChannel } from '#bff/store/store-listener.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { systemClock } from '#bff/time/clock.ts'
import { listen } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { openDatabase } from '#database/open-database.ts'
import { createFakeVendor } from '#test/support/store/fake-vendor.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { urlOf, withDatabase } from '#test/support/with-database.ts'
import { startSync } from './start-sync.ts'

const SOURCE = 'a source'

function makeVendor(count = 5) {
  const now = Date.now()
  return createFakeVendor(
    Array.from({ length: count }, (_, at) => ({
      id: `thr_${at}`,
      title: 'A record',
      time: now - at * 60_000,
    })),
  )
}

function read(
  database: OpenDatabase,
  vendor: ReturnType<typeof makeVendor>,
  { keys = () => 'its keys', ...timing }: Pick<Parameters<typeof startSync>[0], 'keys' | 'pause'> = {},
) {
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  const { upstream } = vendor
  return {
    ...startSync({
      database,
      upstream,
      clock: systemClock,
      log,
      source: SOURCE,
      keys,
      history: { days: 30, records: 300_000 },
      ...timing,
    }),
    logged,
  }
}

/** A pause that only closing ends. */
async function untilAborted(_ms: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isSo).toBe(true)
}

/** Opens a second pool on the same database, which PostgreSQL sees as another process. */
async function openAgain(database: OpenDatabase): Promise<OpenDatabase> {
  return openDatabase({ url: await urlOf(database) })
}

test(
  'reads free pages without a pause, and gives way to people',
  withDatabase('bff', async (database) => {
    const pauses: number[] = []
    let isBusy = false
    const reader = startSync({
      database,
      upstream: makeVendor(500).upstream,
      clock: systemClock,
      log: createLog(() => {}),
      source: SOURCE,
      history: { days: 30, records: 300_000 },
      isFree: true,
      restAfter: () => (isBusy ? 200 : 0),
      async pause(ms) {
        pauses.push(ms)
        isBusy = pauses.length % 2 === 1
        await setImmediate()
      },
    })
    await until(() => pauses.length >= 4)
    await reader.close()
    expect(pauses.slice(0, 4)).toEqual([5, 200, 5, 200])
  }),
)

test(
  'only one process syncs at a time, and another one after its end',
  withDatabase('bff', async (database) => {
    const other = await openAgain(database)
    const [vendor, otherVendor] = [makeVendor(), makeVendor()]
    const reader = read(database, vendor)
    await until(() => vendor.calls.length > 0)
    const successor = read(other, otherVendor)
    await sleep(500)
    expect(otherVendor.calls).toEqual([])

    // Its connection breaks, as when its process is killed; it is a candidate again, after the other.
    await other.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objid = 4812041`,
    )
    await reader.close()
    await until(() => successor.logged.some((line) => line.includes('sync-elected')))
    await successor.close()
    await other.close()
  }),
)

test(
  'notifies every process of what it has read',
  withDatabase('bff', async (database) => {
    const other = await openAgain(database)
    const store = createThreatStore({
      limits: USUAL_HISTORY,
      database: other,
      clock: systemClock,
      source: SOURCE,
    })
    let changes = 0
    const channel = storeChannel(() => {
      changes++
      store.forget()
    })
    const stopListening = await listen(other.pool, [channel], () => {})
    expect(changes).toBe(1)
    expect((await store.state()).status).toBe('empty')
    const reader = read(database, makeVendor())
    await until(() => changes === 2)
    expect(await store.state()).toMatchObject({ status: 'complete', threats: 5, trouble: null })
    await reader.close()
    await stopListening()
    await other.close()
  }),
)

test(
  'notifies of the first page and of the last, and rarely of those between',
  withDatabase('bff', async (database) => {
    const other = await openAgain(database)
    const store = createThreatStore({
      limits: USUAL_HISTORY,
      database: other,
      clock: systemClock,
      source: SOURCE,
    })
    const counts: number[] = []
    const onChange = () => {
      store.forget()
      store.state().then(({ threats }) => counts.push(threats))
    }
    const channel = storeChannel(onChange, { goesOnEveryMs: 3_600_000 })
    const stopListening = await listen(other.pool, [channel], () => {})
    await until(() => counts.length === 1)
    const vendor = makeVendor(600)
    const { call } = vendor.upstream
    // The first page is counted before the second is there.
    vendor.upstream.call = async (...args) => {
      if (vendor.calls.length > 0) await until(() => counts.length > 1)
      return call(...args)
    }
    const reader = read(database, vendor)
    await until(() => counts.includes(600))
    expect(counts).toEqual([0, 100, 600])
    await reader.close()
    await stopListening()
    await other.close()
  }),
)

test(
  'ends at once during a call, and stores nothing of its answer',
  withDatabase('bff', async (database) => {
    const vendor = makeVendor()
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const { call } = vendor.upstream
    const answers: Promise<unknown>[] = []
    vendor.upstream.call = async (...args) => {
      const answered = answering.then(() => call(...args))
      answers.push(answered)
      return answered
    }
    const reader = read(database, vendor)
    await until(() => answers.length > 0)
    await reader.close()
    answer()
    await Promise.all(answers)
    await setImmediate()
    expect((await database.query('select from window_reach')).rowCount).toBe(0)
    expect((await database.query('select from window_trouble')).rowCount).toBe(0)
    expect(vendor.calls).toHaveLength(1)
  }),
)

test(
  'continues with new keys under the same leadership, without results of the old keys',
  withDatabase('bff', async (database) => {
    const vendor = makeVendor()
    const { promise: late, resolve: answer } = Promise.withResolvers<void>()
    const { call } = vendor.upstream
    const answers: Promise<unknown>[] = []
    vendor.upstream.call = async (...args) => {
      const answered = answers.length === 0 ? late.then(() => call(...args)) : call(...args)
      answers.push(answered)
      return answered
    }
    let keys = 'the keys before'
    const reader = read(database, vendor, { keys: () => keys })
    await until(() => answers.length > 0)
    keys = 'the keys now'
    reader.restart()
    const keysOfSync = async () =>
      (await database.query('select keys_name from window_reach')).rows.map((row) => Object(row).keys_name)
    await until(async () => (await keysOfSync()).length > 0)
    answer()
    await Promise.all(answers)
    await setImmediate()
    expect(await keysOfSync()).toEqual(['the keys now'])
    expect(reader.logged.filter((line) => line.includes('sync-elected'))).toHaveLength(1)
    await reader.close()
  }),
)

test(
  'survives a vendor that fails, says so, and ends when it is closed',
  withDatabase('bff', async (database) => {
    const vendor = makeVendor()
    const first = read(database, vendor)
    await until(async () => (await database.query('select from window_reach')).rowCount === 1)
    await first.close()
    await database.query(`update window_reach set next_read_at = now() - interval '1 second'`)

    vendor.rules.failWith = 'unavailable'
    const reader = read(database, vendor, { pause: untilAborted })
    await until(() => reader.logged.some((line) => line.includes('window-not-read')))
    const store = createThreatStore({ limits: USUAL_HISTORY, database, clock: systemClock, source: SOURCE })
    await until(async () => (await store.state()).trouble !== null)
    await reader.close()
  }),
)
