import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import {
  type ChangedOptions,
  change,
  LARGE,
  SMALL,
  startChangedStore,
} from '#test/support/store/changed-window.ts'

test.for<[string, ChangedOptions]>([
  ['of API v1', {}],
  ['of the earlier API', { set: 'earlier' }],
  ['whose lists name no total', { hasTotal: false }],
])(
  'on 1,000 calls a day, changes are found within an hour, and within a day for 30 days: a vendor %s',
  { timeout: 300_000 },
  async ([, options], { annotate }) => {
    const started = await startChangedStore({ plan: LARGE, ...options })
    const { runUntil, vendor } = started
    const recentMs = await runUntil(change(started, DAY_MS), { maxMs: 2 * HOUR_MS })
    const olderMs = await runUntil(change(started, 20 * DAY_MS), { maxMs: 2 * DAY_MS })
    const found = { minutes: recentMs / MINUTE_MS, hours: olderMs / HOUR_MS }
    await annotate(JSON.stringify({ ...found, ...vendor.limits.counted }))
    expect(recentMs).toBeLessThanOrEqual(HOUR_MS)
    expect(olderMs).toBeLessThanOrEqual(DAY_MS)
    expect(vendor.limits.counted.refusals).toBe(0)
    expect(started.intoReserve()).toBe(0)
  },
)

test('finds changes on 100 calls a day without the calls that are reserved for people', {
  timeout: 300_000,
}, async ({ annotate }) => {
  const started = await startChangedStore({ plan: SMALL, hasTotal: false })
  const { runUntil, vendor } = started
  const recentMs = await runUntil(change(started, DAY_MS), { maxMs: 2 * DAY_MS })
  const olderMs = await runUntil(change(started, 20 * DAY_MS), { maxMs: 9 * DAY_MS })
  const found = { hours: [recentMs / HOUR_MS, olderMs / HOUR_MS] }
  await annotate(JSON.stringify({ ...found, ...vendor.limits.counted }))
  expect(recentMs).toBeLessThanOrEqual(1.5 * DAY_MS)
  expect(olderMs).toBeLessThanOrEqual(8 * DAY_MS)
  expect(vendor.limits.counted.refusals).toBe(0)
  expect(started.intoReserve()).toBe(0)
})
