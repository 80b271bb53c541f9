import { expect, test } from 'vitest'
import { startOfDays } from '#bff/time/history-limits.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createFakeVendor, type VendorRecord } from '#test/support/window/fake-vendor.ts'
import { isFilled, readStoredState } from '#test/support/window/read-stored-state.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createReadStep } from './read-step.ts'

const HISTORY = 61
const NOW_MS = Date.parse('2026-03-10T12:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function makeRecords(count: number, spanMs = 29 * DAY_MS): VendorRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `thr_${at}`,
    title: `Record ${at}`,
    time: NOW_MS - Math.floor((at * spanMs) / count),
  }))
}

function start(database: OpenDatabase, records: VendorRecord[], source = 'a source') {
  const vendor = createFakeVendor(records)
  let elapsed = 0
  const clock = { elapsedMs: () => elapsed, nowMs: () => NOW_MS + elapsed }
  const wait = (ms: number) => {
    elapsed += ms
  }
  const restart = (name = source, days = 30) =>
    createReadStep({
      ...{ database, upstream: vendor.upstream, clock, source: name },
      history: { days, records: 300_000 },
    })
  let step = restart()
  return {
    ...vendor,
    wait,
    clock,
    step: () => step(),
    restart: (name?: string, days?: number) => {
      step = restart(name, days)
    },
    async fill() {
      for (let steps = 0; steps < 100; steps++) {
        wait(await step())
        if (await isFilled(database)) return
      }
      throw new Error('The window does not fill')
    },
    async storedIds(): Promise<string[]> {
      const { rows } = await database.query('select id from window_threat')
      return rows.map((row) => String(Object(row).id)).sort()
    },
    idsOf: (some: VendorRecord[]) => some.map(({ id }) => id).sort(),
  }
}

test(
  'is of use after the first call, and fills from there',
  withDatabase('bff', async (database) => {
    const { step, fill, storedIds, idsOf, records, calls } = start(database, makeRecords(450))
    await step()
    expect(await storedIds()).toEqual(idsOf(records.slice(0, 100)))
    await fill()
    expect(await storedIds()).toEqual(idsOf(records))
    expect(calls).toHaveLength(5)
    expect(await readStoredState(database)).toMatchObject({
      status: 'complete',
      storedFrom: '2026-02-08T00:00:00.000Z',
    })
  }),
)

test(
  'goes on after a restart where it stopped',
  withDatabase('bff', async (database) => {
    const { step, restart, fill, storedIds, idsOf, records, calls } = start(database, makeRecords(450))
    await step()
    await step()
    restart()
    await fill()
    expect(await storedIds()).toEqual(idsOf(records))
    expect(calls).toHaveLength(5)
  }),
)

test.each(['v1', 'earlier'] as const)(
  'keeps in step with %s without gap or duplicate while records arrive during the crawl',
  (set) =>
    withDatabase('bff', async (database) => {
      const { step, wait, clock, storedIds, idsOf, records, rules } = start(database, makeRecords(300))
      rules.sets = [set]
      for (let round = 0; round < 30; round++) {
        for (let more = 0; more < 7; more++) {
          records.push({ id: `new_${round}_${more}`, title: 'New', time: clock.nowMs() - more })
        }
        await step()
        wait(20_000)
      }
      // A look for new records may be several pages long, and one is under way.
      for (let steps = 0; steps < 8; steps++) {
        await step()
        wait(20_000)
      }
      expect(await storedIds()).toEqual(idsOf(records))
    })(),
)

test(
  'closes the gap of a long pause before it claims the time until now',
  withDatabase('bff', async (database) => {
    const { step, wait, clock, fill, storedIds, idsOf, records } = start(database, makeRecords(50))
    await fill()
    wait(2 * DAY_MS)
    const before = (await readStoredState(database)).storedTo
    for (let at = 0; at < 250; at++) {
      records.push({ id: `new_${at}`, title: 'New', time: clock.nowMs() - at * 60_000 })
    }
    await step()
    expect((await readStoredState(database)).storedTo).toBe(before)
    await step()
    await step()
    expect(await storedIds()).toEqual(idsOf(records))
    expect((await readStoredState(database)).storedTo).toBe(new Date(clock.nowMs()).toISOString())
  }),
)

test(
  'finds a record that comes late within the hour',
  withDatabase('bff', async (database) => {
    const { step, wait, clock, fill, storedIds, records } = start(database, makeRecords(3_000))
    await fill()
    records.push({ id: 'late', title: 'Late', time: NOW_MS - 40 * HOUR_MS })
    wait(61 * 60_000)
    for (let steps = 0; steps < 5; steps++) await step()
    expect(await storedIds()).toContain('late')
    expect((await readStoredState(database)).reconciledAt).toBe(new Date(clock.nowMs()).toISOString())
  }),
)

test(
  'asks a trial key for shorter pages once it has been told to',
  withDatabase('bff', async (database) => {
    const { fill, storedIds, rules, calls } = start(database, makeRecords(120))
    rules.limitMax = 50
    await fill()
    expect(await storedIds()).toHaveLength(120)
    expect(calls.map(({ query }) => query.limit)).toEqual([100, 50, 50, 50])
  }),
)

test(
  'holds what the plan allows, and drops what it allows no longer',
  withDatabase('bff', async (database) => {
    const { step, wait, fill, storedIds, idsOf, records, rules } = start(database, makeRecords(300))
    await fill()
    rules.windowStart = NOW_MS - 7 * DAY_MS
    wait(HOUR_MS / 2)
    await step()
    await fill()
    const allowed = records.filter(({ time }) => time >= rules.windowStart)
    expect(await storedIds()).toEqual(idsOf(allowed))
    expect((await readStoredState(database)).since).toBeNull()
  }),
)

test(
  'forgets what another key could read, and what this one may read no longer',
  withDatabase('bff', async (database) => {
    const { step, wait, restart, fill, storedIds, records, rules } = start(database, makeRecords(150))
    await fill()
    rules.isRedacted = true
    wait(60_000)
    await step()
    const { rows } = await database.query(`select from window_threat where threat like '%Record%'`)
    expect(rows).toEqual([])
    records.length = 3
    restart('another source')
    await step()
    expect(await storedIds()).toHaveLength(3)
  }),
)

test(
  'starts anew when the vendor knows its cursor no longer',
  withDatabase('bff', async (database) => {
    const { step, fill, storedIds, idsOf, records, rules, calls } = start(database, makeRecords(350))
    await step()
    await step()
    rules.failWith = 'rejected'
    await step()
    rules.failWith = null
    calls.length = 0
    await fill()
    expect(await storedIds()).toEqual(idsOf(records))
    // That was not for the length of its pages.
    expect(new Set(calls.map(({ query }) => query.limit))).toEqual(new Set([100]))
  }),
)

test(
  'keeps what ages for the days of its history, and no longer',
  withDatabase('bff', async (database) => {
    const { step, wait, clock, restart, fill, storedIds, idsOf, records } = start(database, makeRecords(60))
    restart('a source', HISTORY)
    await fill()
    wait(30 * DAY_MS)
    for (let steps = 0; steps < 3; steps++) await step()
    expect(await storedIds()).toEqual(idsOf(records))
    wait(10 * DAY_MS)
    for (let steps = 0; steps < 3; steps++) await step()
    const keptFrom = startOfDays(HISTORY, clock.nowMs())
    expect(await storedIds()).toEqual(idsOf(records.filter(({ time }) => time >= keptFrom.getTime())))
    expect((await readStoredState(database)).storedFrom).toBe(keptFrom.toISOString())
  }),
)

test(
  'holds all that is kept where calls cost nothing',
  withDatabase('bff', async (database) => {
    const { fill, storedIds, idsOf, records, restart } = start(database, makeRecords(60, 60 * DAY_MS))
    restart('a source', HISTORY)
    await fill()
    expect(await storedIds()).toEqual(idsOf(records))
  }),
)

test.each([2, 3])(
  'ends a crawl that a vendor leads in a circle of %i pages, and claims no more than it was given',
  (length) =>
    withDatabase('bff', async (database) => {
      const { step, fill, storedIds, records, rules, calls } = start(database, makeRecords(500))
      rules.circle = length
      await fill()
      expect(calls.length).toBeLessThanOrEqual(length + 1)
      expect(await storedIds()).toHaveLength(100 * length)
      const oldest = records[100 * length - 1]?.time ?? 0
      expect((await readStoredState(database)).storedFrom).toBe(new Date(oldest).toISOString())
      await step()
    })(),
)
