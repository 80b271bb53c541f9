import { expect, test } from 'vitest'
import type { HistoryLimits } from '#bff/time/history-limits.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createFakeVendor, type VendorRecord } from '#test/support/store/fake-vendor.ts'
import { isFilled, readStoredState } from '#test/support/store/read-stored-state.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createReadStep } from './read-step.ts'

const NOW_MS = Date.parse('2026-03-10T12:00:00Z')

function makeRecords(count: number, spanMs = 29 * DAY_MS): VendorRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `thr_${at}`,
    title: `Record ${at}`,
    time: NOW_MS - Math.floor((at * spanMs) / count),
  }))
}

type Restarted = Partial<HistoryLimits> & { source?: string; keys?: string; isFree?: boolean }

function start(database: OpenDatabase, records: VendorRecord[], source = 'a source') {
  const vendor = createFakeVendor(records)
  let elapsed = 0
  const clock = { elapsedMs: () => elapsed, nowMs: () => NOW_MS + elapsed }
  const wait = (ms: number) => {
    elapsed += ms
  }
  const restart = ({ days = 30, records = 300_000, ...named }: Restarted = {}) =>
    createReadStep({
      database,
      upstream: vendor.upstream,
      clock,
      source,
      history: { days, records },
      ...named,
    })
  let step = restart()
  return {
    ...vendor,
    wait,
    clock,
    step: () => step(),
    restart: (changed: Restarted = {}) => {
      step = restart(changed)
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
  'stores records after the first call, and then fills the rest',
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
  'continues after a restart where it stopped',
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
  'follows %s without gap or duplicate while records arrive during the crawl',
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
  'keeps what was read when the plan shrinks',
  withDatabase('bff', async (database) => {
    const { step, wait, restart, fill, storedIds, idsOf, records, rules } = start(
      database,
      makeRecords(300, 89 * DAY_MS),
    )
    restart({ days: 90 })
    await fill()
    const before = await readStoredState(database)
    rules.windowStart = NOW_MS - 30 * DAY_MS
    wait(HOUR_MS)
    records.push({ id: 'new', title: 'New', time: NOW_MS + HOUR_MS - 1 })
    for (let steps = 0; steps < 8; steps++) wait(await step())
    expect(await storedIds()).toEqual(idsOf(records))
    const { since, storedFrom, beyond } = await readStoredState(database)
    expect({ since, storedFrom, beyond }).toEqual({
      since: null,
      storedFrom: before.storedFrom,
      beyond: 'historyLimit',
    })
  }),
)

test(
  'keeps stored records when the key changes, and none when the address changes',
  withDatabase('bff', async (database) => {
    const { step, wait, restart, fill, storedIds, idsOf, records, calls } = start(database, makeRecords(250))
    restart({ keys: 'a key' })
    await fill()
    const { storedFrom } = await readStoredState(database)
    const known = [...records]
    records.splice(100)
    records.push({ id: 'new', title: 'New', time: NOW_MS + 60_000 })
    wait(120_000)
    calls.length = 0
    restart({ keys: 'another key' })
    await step()
    expect(await storedIds()).toEqual(idsOf([...known, ...records.slice(-1)]))
    expect(await readStoredState(database)).toMatchObject({ status: 'filling', storedFrom })
    await fill()
    expect(await storedIds()).toEqual(idsOf([...known, ...records.slice(-1)]))
    expect(calls.length).toBeGreaterThan(1)
    restart({ source: 'another address' })
    await step()
    expect(await storedIds()).toEqual(idsOf(records.toSorted((a, b) => b.time - a.time).slice(0, 100)))
  }),
)

test(
  'keeps the newest records up to a limit, and reads nothing beyond it again',
  withDatabase('bff', async (database) => {
    const { step, wait, clock, restart, fill, storedIds, idsOf, records, calls } = start(
      database,
      makeRecords(2_500),
    )
    const history = { days: 400, records: 1_000 }
    restart(history)
    await fill()
    const kept = () => idsOf(records.toSorted((a, b) => b.time - a.time).slice(0, 1_000))
    expect(await storedIds()).toEqual(kept())
    const { storedFrom, beyond } = await readStoredState(database)
    expect(beyond).toBe('historyLimit')
    expect(storedFrom).toBe(new Date(records[999]?.time ?? 0).toISOString())
    records.push({ id: 'new', title: 'New', time: clock.nowMs() })
    for (let days = 0; days < 3; days++) {
      wait(DAY_MS)
      restart(history)
      calls.length = 0
      for (let steps = 0; steps < 30; steps++) wait(Math.min(await step(), 600_000))
      expect(await storedIds()).toEqual(kept())
      // No more than polls for new records, and a comparison of 30 days.
      expect(calls.length).toBeLessThan(60)
    }
  }),
)

test(
  'starts again when the vendor no longer accepts its cursor',
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
    const { step, wait, restart, fill, storedIds, idsOf, records } = start(database, makeRecords(60))
    restart({ days: 61 })
    await fill()
    wait(31 * DAY_MS)
    for (let steps = 0; steps < 3; steps++) await step()
    expect(await storedIds()).toEqual(idsOf(records))
    wait(10 * DAY_MS)
    for (let steps = 0; steps < 3; steps++) await step()
    const keptFrom = new Date('2026-02-18T00:00:00Z')
    expect(await storedIds()).toEqual(idsOf(records.filter(({ time }) => time >= keptFrom.getTime())))
    expect((await readStoredState(database)).storedFrom).toBe(keptFrom.toISOString())
  }),
)

test(
  'reads older records when the limit of days becomes larger',
  withDatabase('bff', async (database) => {
    const { fill, restart, step, storedIds, idsOf, records } = start(database, makeRecords(300, 60 * DAY_MS))
    await fill()
    expect((await storedIds()).length).toBeLessThan(records.length)
    restart({ days: 0 })
    await step()
    await fill()
    expect(await storedIds()).toEqual(idsOf(records))
  }),
)

test.each([2, 3])(
  'ends a crawl through a circle of %i pages, and claims only the received records',
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
