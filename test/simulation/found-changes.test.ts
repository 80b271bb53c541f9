import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import {
  type ChangedOptions,
  change,
  readTitles,
  startChangedStore,
} from '#test/support/store/changed-window.ts'
import type { EditedRecord } from '#test/support/store/editing-vendor.ts'
import { readStoredState } from '#test/support/store/read-stored-state.ts'

/** Looks for new records are left out, for the tests to be short. */
const strideMs = 5 * MINUTE_MS

test.for<[string, ChangedOptions]>([
  ['of API v1', {}],
  ['of the earlier API', { set: 'earlier' }],
  ['whose lists name no total', { hasTotal: false }],
])(
  'what was corrected, back-dated or withdrawn is found within an hour: a vendor %s',
  async ([, options]) => {
    const started = await startChangedStore(options)
    const foundMs = await started.runUntil(change(started, DAY_MS), { maxMs: 2 * HOUR_MS, strideMs })
    expect(foundMs).toBeLessThanOrEqual(HOUR_MS)
  },
)

test('an interrupted comparison continues at its cursor, and a failed one removes nothing', async () => {
  const started = await startChangedStore({ hasTotal: false })
  const { runUntil, vendor, database, clock } = started
  clock.wait(23 * HOUR_MS)
  const isFound = change(started, 20 * DAY_MS)
  const isUnderWay = async () => {
    const { recheck } = await readStoredState(database)
    return recheck?.cursor.set === 'v1' && recheck.cursor.cursor === '100'
  }
  await runUntil(isUnderWay, { maxMs: 3 * HOUR_MS, strideMs })
  expect(await isUnderWay()).toBe(true)
  const held = (await readTitles(database)).size
  started.break({ status: 500, json: { error: 'Out of order' } })
  await runUntil(() => false, { maxMs: HOUR_MS, strideMs })
  expect((await readTitles(database)).size).toBe(held)
  started.break()
  started.restart()
  const first = vendor.queries.length
  await runUntil(isFound, { maxMs: 3 * HOUR_MS, strideMs })
  expect(await isFound()).toBe(true)
  const further = vendor.queries.slice(first).filter(({ cursor }) => cursor !== undefined)
  expect(further[0]?.cursor).toBe('100')
})

test.each([true, false])(
  'a vendor without a steady order loses no record (its list names a total: %s)',
  // A month of the sync's time, which a busy machine computes in a minute.
  { timeout: 90_000 },
  async (hasTotal) => {
    let turn = 0
    // At the end of a page a record changes places with the first of the next, at every other request.
    const sort = (records: readonly EditedRecord[]) => {
      const sorted = records.toSorted((a, b) => b.atMs - a.atMs)
      turn++
      for (let at = 50; turn % 2 === 0 && at < sorted.length; at += 50) {
        const [last, next] = [sorted[at - 1], sorted[at]]
        if (last && next) sorted.splice(at - 1, 2, next, last)
      }
      return sorted
    }
    const started = await startChangedStore({ hasTotal, sort })
    const { runUntil, database, clock, vendor } = started
    const held = [...(await readTitles(database)).keys()]
    const lost = async () => {
      const titles = await readTitles(database)
      return held.filter(
        (id) => !titles.has(id) && (vendor.records.get(id)?.atMs ?? 0) > clock.nowMs() - 29 * DAY_MS,
      )
    }
    let most = 0
    await runUntil(
      async () => {
        most = Math.max(most, (await lost()).length)
        return false
      },
      { maxMs: 6 * HOUR_MS, strideMs },
    )
    clock.wait(18 * HOUR_MS)
    await runUntil(() => false, { maxMs: 2 * HOUR_MS, strideMs })
    expect(most + (await lost()).length).toBe(0)
  },
)
