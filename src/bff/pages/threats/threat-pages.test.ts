import { expect, test } from 'vitest'
import { type ThreatList, threatListSchema } from '#contract/bff/threat-list.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { createTestData, type DataRequest } from '#test/support/ask-data.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'

const LIST = '/api/v1/threats'

async function start(kind: 'embedded' | 'vendor' = 'vendor') {
  const standIn = await startStandInUpstream()
  standIn.play(LIST, { json: v1List([v1Record()]) })
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url, kind } })
  const list = async (query = '', how?: DataRequest): Promise<ThreatList> =>
    threatListSchema.parse(await (await ask(`/bff/threats${query}`, how)).json())
  const refuse = async (query = '', how?: DataRequest) => readProblem(await ask(`/bff/threats${query}`, how))
  return { standIn, wait, list, refuse }
}

test.each([
  ['embedded', 15_000],
  ['vendor', 60_000],
] as const)('an answer of the %s source is fresh for %d ms', async (kind, ms) => {
  const { list, wait, standIn } = await start(kind)
  await list()
  wait(ms - 1)
  await list()
  expect(standIn.calls).toHaveLength(1)
  wait(1)
  await list()
  expect(standIn.calls).toHaveLength(2)
})

test('a hundred at the same time are one call', async () => {
  const { list, standIn } = await start()
  await Promise.all(Array.from({ length: 100 }, () => list('?country=DE')))
  expect(standIn.calls).toHaveLength(1)
})

test('a failing source is answered from what is known, labelled', async () => {
  const { standIn, list, wait } = await start()
  await list()
  wait(3_600_000)
  standIn.play(LIST, { status: 503, json: {} })
  expect(await list()).toMatchObject({
    threats: [{ id: 'thr_1' }],
    freshness: {
      fetchedAt: '2026-03-10T12:00:00.000Z',
      isStale: true,
      staleReason: 'The source cannot be reached or failed.',
    },
  })
})

test('a background poll gets what is known when few calls are left, a person is served', async () => {
  const { standIn, list, refuse, wait } = await start()
  standIn.play(LIST, {
    headers: { 'x-ratelimit-limit': '15', 'x-ratelimit-remaining': '3' },
    json: v1List([v1Record()]),
  })
  await list()
  wait(60_000)
  const background = { isBackground: true }
  expect(await list('', background)).toMatchObject({ freshness: { isStale: true } })
  expect(await refuse('?country=DE', background)).toMatchObject({ code: 'rate_limited' })
  expect(standIn.calls).toHaveLength(1)
  expect(await list('')).toMatchObject({ freshness: { isStale: true } })
  expect(standIn.calls).toHaveLength(1)
  expect(await list('', { isRefresh: true })).toMatchObject({ freshness: { isStale: false } })
  expect(standIn.calls).toHaveLength(2)
  expect(await list('?country=FR')).toMatchObject({ freshness: { isStale: false } })
})

test('a refresh reads anew what is older than five seconds', async () => {
  const { list, wait, standIn } = await start()
  await list()
  await list('', { isRefresh: true })
  expect(standIn.calls).toHaveLength(1)
  wait(5_000)
  await list('', { isRefresh: true })
  expect(standIn.calls).toHaveLength(2)
})
