import { expect, test } from 'vitest'
import { historyLoadsSchema } from '#contract/bff/history-load.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { playPast, recordsBetween } from './support/history/past-vendor.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const DAY_MS = 86_400_000
const PATIENCE = { timeout: 40_000, interval: 300 }

test('a key with both route sets has all records of both in the store, however far its plan lists v1', {
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
