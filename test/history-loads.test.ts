import { expect, test } from 'vitest'
import { historyLoadSchema, historyLoadsSchema } from '#contract/bff/history-load.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { DAY_MS } from '#contract/duration.ts'
import { playPast, recordsBetween } from './support/history/past-vendor.ts'
import { limitCalls } from './support/limit-calls.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const PATIENCE = { timeout: 40_000, interval: 300 }

test('a key with both route sets stores all records of both, with any limit of v1', {
  timeout: 120_000,
}, async () => {
  const nowMs = Date.now()
  const standIn = await startStandInUpstream()
  const records = recordsBetween(nowMs - 200 * DAY_MS, nowMs - 3_600_000, DAY_MS / 2)
  const [v1From, earlierFrom] = [nowMs - 40 * DAY_MS, nowMs - 150 * DAY_MS]
  playPast(standIn, { records, v1From, earlierFrom, isV1Bound: true })
  const { ask } = await startSignedIn(await takeDatabase('bff'), {
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
  })
  const listed = records.filter(({ atMs }) => atMs >= earlierFrom)
  const source = async () => sourceSchema.parse(await (await ask('/bff/source')).json())
  await expect.poll(async () => (await source()).window.threats, PATIENCE).toBe(listed.length)
  const from = new Date(nowMs - 120 * DAY_MS).toISOString().slice(0, 10)
  const read = async () => threatListSchema.parse(await (await ask(`/bff/threats?from=${from}`)).json())
  await expect
    .poll(async () => (await read()).freshness.coverage, PATIENCE)
    .toMatchObject({ status: 'complete', gaps: [] })
  const loads = historyLoadsSchema.parse(
    await (await ask(`/bff/history-loads?from=${from}T00:00:00Z`)).json(),
  )
  expect(loads).toEqual({ loads: [], offer: null, refusal: null })
})

test('a load with v1 alone reads back to the requested month at once, without spare calls', {
  timeout: 120_000,
}, async () => {
  const nowMs = Date.now()
  const standIn = await startStandInUpstream()
  const records = recordsBetween(nowMs - 150 * DAY_MS, nowMs - 3_600_000, DAY_MS / 2)
  const limits = limitCalls({ perMinute: 600, perDay: 100 }, () => Date.now(), {
    minuteMs: 0,
    // The vendor's day has just begun: hardly a call is spare.
    dayMs: (nowMs % DAY_MS) - 3_600_000,
  })
  playPast(standIn, { records, v1From: 0, earlierFrom: 0, alone: 'v1', limits })
  const { ask } = await startSignedIn(await takeDatabase('bff'), {
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
  })
  const source = async () => sourceSchema.parse(await (await ask('/bff/source')).json())
  await expect.poll(async () => (await source()).window.threats, PATIENCE).toBe(100)
  // The earlier API is known to be closed once somebody has asked for it.
  await ask('/bff/metrics')
  // From the start of its month on, the missing time has 60 to 91 days of two records: two pages.
  const from = new Date(nowMs - 110 * DAY_MS).toISOString()
  const read = async () =>
    historyLoadsSchema.parse(await (await ask(`/bff/history-loads?from=${from}`)).json())
  await expect.poll(async () => (await read()).offer?.isBackTo, PATIENCE).toBe(true)
  const { offer } = await read()
  expect(offer).toMatchObject({ calls: 2, from: `${from.slice(0, 7)}-01T00:00:00.000Z` })
  expect(offer?.callsLeft).toBeGreaterThan(50)
  const created = await ask('/bff/history-loads', { body: { from: offer?.from, to: offer?.to } })
  expect(historyLoadSchema.parse(await created.json())).toMatchObject({ reachedFrom: offer?.to })
  await expect.poll(async () => (await read()).loads[0]?.state, PATIENCE).toBe('done')
  expect((await source()).window.threats).toBeGreaterThan(2 * 110 - 2)
  expect((await read()).offer).toBeNull()
})
