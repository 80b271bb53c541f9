import { expect, test } from 'vitest'
import { countStored } from '#bff/store/records/store-threats.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createFakeVendor, type VendorRecord } from '#test/support/store/fake-vendor.ts'
import { isFilled, readStoredState } from '#test/support/store/read-stored-state.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createReadStep } from './read-step.ts'

const NOW_MS = Date.parse('2026-03-10T12:00:00Z')

function makeRecords(name: string, count: number, spanMs: number): VendorRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${name}_${at}`,
    title: `Record ${at}`,
    time: NOW_MS - Math.floor((at * spanMs) / count),
  }))
}

function start(database: OpenDatabase, records: VendorRecord[], isFree = false) {
  const vendor = createFakeVendor(records)
  let elapsed = 0
  const clock = { elapsedMs: () => elapsed, nowMs: () => NOW_MS + elapsed }
  const { upstream } = vendor
  const step = createReadStep({
    database,
    upstream,
    clock,
    source: 'a source',
    history: { days: 30, records: 300_000 },
    isFree,
  })
  return {
    ...vendor,
    async settle() {
      for (let steps = 0; steps < 40; steps += 1) {
        const waitMs = await step()
        if ((await isFilled(database)) && waitMs > 1_000) return
      }
      throw new Error('The window does not fill')
    },
    passMinute() {
      elapsed += 60_000
    },
  }
}

test(
  'days that a plan omits without notice do not count as stored',
  withDatabase('bff', async (database) => {
    const { settle, rules } = start(database, makeRecords('thr', 450, 29 * DAY_MS))
    Object.assign(rules, { windowStart: NOW_MS - 7 * DAY_MS, isSilent: true })
    await settle()
    const storedFrom = Date.parse((await readStoredState(database)).storedFrom)
    expect(storedFrom).toBeGreaterThanOrEqual(NOW_MS - 7 * DAY_MS)
  }),
)

test(
  'a list with few records covers the whole requested range',
  withDatabase('bff', async (database) => {
    const { settle } = start(database, makeRecords('thr', 6, 26 * DAY_MS))
    await settle()
    expect(await readStoredState(database)).toMatchObject({ storedFrom: '2026-02-08T00:00:00.000Z' })
  }),
)

test(
  'with free calls, the next poll detects added and removed older records',
  withDatabase('bff', async (database) => {
    const demo = makeRecords('demo', 250, 29 * DAY_MS)
    const { settle, records, passMinute } = start(database, [...demo], true)
    await settle()
    records.splice(0, records.length, ...makeRecords('real', 900, 29 * DAY_MS))
    passMinute()
    await settle()
    expect(await countStored(database)).toBe(900)
    const { rowCount } = await database.query(`select from window_threat where id like 'demo%'`)
    expect(rowCount).toBe(0)
  }),
)

test(
  'a total that never agrees does not start the window over and over',
  withDatabase('bff', async (database) => {
    const { settle, records, calls, passMinute } = start(database, makeRecords('thr', 90, 20 * DAY_MS), true)
    // Two records of one id are one here.
    records.push({ id: 'thr_0', title: 'Again', time: NOW_MS - DAY_MS })
    await settle()
    for (let looks = 0; looks < 5; looks += 1) {
      passMinute()
      await settle()
    }
    expect(calls.length).toBeLessThan(12)
  }),
)
