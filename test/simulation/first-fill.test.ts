import { expect, test } from 'vitest'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { personOf, startGoverned } from '#test/support/start-governed.ts'
import { isFilled } from '#test/support/store/read-stored-state.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { playVendor } from './rate-limited-vendor.ts'

const RECORDS = 1_500
const SPAN_MS = 30 * 24 * HOUR_MS
const PAGE = 50

test('fills on 100 calls a day without a refusal, and people have calls all along', async ({ annotate }) => {
  const database = await takeDatabase('bff')
  const { standIn, clock, upstream, list } = await startGoverned(database)
  const startedMs = clock.nowMs()
  const vendor = playVendor(standIn, {
    plan: { perMinute: 5, perDay: 100 },
    nowMs: clock.nowMs,
    list({ query }) {
      const from = Number(query.cursor ?? 0)
      const data = Array.from({ length: Math.min(PAGE, RECORDS - from) }, (_, at) => ({
        id: `thr_${from + at}`,
        title: 'A record',
        published_at: new Date(startedMs - ((from + at) * SPAN_MS) / RECORDS).toISOString(),
      }))
      return { data, meta: { total: RECORDS, cursor: from + PAGE < RECORDS ? String(from + PAGE) : null } }
    },
  })
  const step = createReadStep({
    database,
    upstream,
    clock,
    source: 'a source',
    history: { days: 30, records: 300_000 },
  })
  const kinds = new Set<string>()
  for (let steps = 0; steps < 500 && !(await isFilled(database)); steps++) {
    const waitMs = await step().catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error
      return (error.retryAtMs ?? clock.nowMs() + 60_000) - clock.nowMs()
    })
    clock.wait(Math.max(50, waitMs))
    if (steps % 10 === 9) kinds.add((await list(personOf('s-1'))).kind)
  }
  const { rows } = await database.query('select count(*) as held from window_threat')
  const hours = (clock.nowMs() - startedMs) / HOUR_MS
  await annotate(JSON.stringify({ ...vendor, hours: Math.round(hours * 10) / 10 }))
  expect(Object(rows[0]).held).toBe(RECORDS)
  expect([...kinds]).toEqual(['answered'])
  expect(vendor.refusals).toBe(0)
  expect(hours).toBeLessThan(24)
})
