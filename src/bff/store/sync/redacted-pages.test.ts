import { expect, test } from 'vitest'
import { HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createFakeVendor, type VendorRecord } from '#test/support/store/fake-vendor.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createReadStep } from './read-step.ts'
import { readSyncState } from './sync-state.ts'

const NOW_MS = Date.parse('2026-03-10T12:00:00Z')
const PAGES_OF_A_FILL = 3
/** The list ends long before its bound: one without a bound shows whether older records are there. */
const TO_SETTLE_ITS_END = 1

/** A window filled by a key that withholds titles, or by one that does not. */
async function fill(database: OpenDatabase, isRedacted: boolean) {
  const held = Array.from(
    { length: PAGES_OF_A_FILL * 100 - 50 },
    (_, at): VendorRecord => ({ id: `thr_${at}`, title: `Record ${at}`, time: NOW_MS - at * HOUR_MS }),
  )
  const { upstream, records, rules, calls } = createFakeVendor(held)
  rules.isRedacted = isRedacted
  let elapsed = 0
  const clock = { elapsedMs: () => elapsed, nowMs: () => NOW_MS + elapsed }
  const step = createReadStep({
    database,
    upstream,
    clock,
    source: 'a source',
    history: { days: 30, records: 300_000 },
  })
  async function settle() {
    do elapsed += await step()
    while ((await readSyncState(database)).status !== 'complete')
  }
  await settle()

  return {
    records,
    rules,
    newest: () => ({ id: 'new', title: 'New', time: NOW_MS + elapsed - 1 }),
    /** Returns how many pages a look reads until the window is whole again. */
    async look(): Promise<number> {
      const before = calls.length
      await settle()
      return calls.length - before
    },
    async titles(): Promise<number> {
      const { rowCount } = await database.query(`select from window_threat where threat like '%Record%'`)
      return rowCount ?? 0
    },
  }
}

test.each([
  { held: 'open', isRedacted: false, title: '[redacted]' },
  { held: 'withheld', isRedacted: true, title: 'Open' },
])('one record unlike the rest is no evidence of a changed key: $held text stays', (one) =>
  withDatabase('bff', async (database) => {
    const { records, rules, look, newest } = await fill(database, one.isRedacted)
    rules.isRedacted = false
    if (one.isRedacted) for (const record of records) record.title = '[redacted]'
    records.push({ ...newest(), title: one.title })
    expect(await look()).toBe(1)
  })(),
)

test(
  'a page without records is no evidence of a changed key',
  withDatabase('bff', async (database) => {
    const { records, look } = await fill(database, true)
    records.splice(0)
    expect(await look()).toBe(1)
  }),
)

test(
  'withheld members keep known values, and are read again when a key shows them',
  withDatabase('bff', async (database) => {
    const { records, rules, look, titles } = await fill(database, false)
    expect(await titles()).toBe(records.length)
    rules.isRedacted = true
    expect(await look()).toBe(1)
    expect(await titles()).toBe(records.length)
    rules.isRedacted = false
    expect(await look()).toBe(1 + PAGES_OF_A_FILL + TO_SETTLE_ITS_END)
    expect(await titles()).toBe(records.length)
  }),
)

test(
  'what was withheld is replaced once it is listed in full',
  withDatabase('bff', async (database) => {
    const { records, rules, look, titles } = await fill(database, true)
    expect(await titles()).toBe(0)
    rules.isRedacted = false
    expect(await look()).toBe(1 + PAGES_OF_A_FILL + TO_SETTLE_ITS_END)
    expect(await titles()).toBe(records.length)
  }),
)
