import { describe, expect, test } from 'vitest'
import { threatAnswerSchema } from '#contract/bff/threat-list.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierDetail, earlierList, v1Detail } from '#test/support/upstream-records.ts'

const V1 = '/api/v1/threats/thr_1'
const EARLIER = '/api/feed/thr_1'
const evidence = [
  { type: 'screenshot', url: 'https://cdn.example/1.png' },
  { type: 'screenshot', url: 'http://ashfall.onion/2.png' },
  { type: 'screenshot', url: 'https://evil.example/3.png' },
]
const NOT_FOUND: StandInReply = { status: 404, json: { error: 'Not found' } }
const NO_PLAN: StandInReply = { status: 403, json: { error: 'No plan' } }
const BROKEN: StandInReply = { status: 500, json: { error: 'Oops' } }

async function start({ v1, earlier }: { v1?: StandInReply; earlier?: StandInReply } = {}) {
  const standIn = await startStandInUpstream()
  standIn.play(V1, v1 ?? { json: { data: v1Detail() } })
  standIn.play(EARLIER, earlier ?? { json: earlierDetail({ evidence }) })
  const data = await createTestData({ upstream: { url: standIn.url }, evidenceHosts: ['cdn.example'] })
  const read = async (query = '') => {
    const response = await data.ask(`/bff/threats/thr_1${query}`)
    expect(response.status).toBe(200)
    return threatAnswerSchema.parse(await response.json())
  }
  const refuse = async (query = '') => readProblem(await data.ask(`/bff/threats/thr_1${query}`))
  const calls = () => standIn.calls.map(({ path }) => path)
  return { ...data, standIn, read, refuse, calls }
}

test('joins the details of both sets: v1 first, text and evidence from the earlier set', async () => {
  const { read, calls } = await start({
    v1: { json: { data: { ...v1Detail({ title: 'Of v1' }), score: 7 } } },
    earlier: { json: { ...earlierDetail({ title: 'Of the earlier set', evidence }), source: 'forum' } },
  })
  const { threat, freshness } = await read()
  expect(threat).toMatchObject({
    id: 'thr_1',
    set: 'v1',
    title: 'Of v1',
    organizations: ['Northwind Foods'],
    content: 'We have 80 GB of Northwind Foods.',
    analysis: {
      riskLevel: 'high',
      summary: 'A leak is announced.',
      impact: 'Contracts may be exposed.',
      recommendations: ['Reset shared credentials.'],
      text: 'Likely a real breach.',
    },
    evidence: [
      { ...evidence[0], picture: '/bff/threats/thr_1/evidence/0?set=earlier', host: 'cdn.example' },
      { ...evidence[1], picture: null },
      { ...evidence[2], picture: null, host: 'evil.example' },
    ],
    otherFields: [
      { path: 'v1: score', value: '7' },
      { path: 'earlier: source', value: 'forum' },
    ],
  })
  expect(threat.records.map(({ set }) => set)).toEqual(['v1', 'earlier'])
  expect(threat.records.map(({ json }) => JSON.parse(json))).toMatchObject([
    { title: 'Of v1' },
    { title: 'Of the earlier set' },
  ])
  expect(freshness.isStale).toBe(false)
  expect(calls().toSorted()).toEqual([EARLIER, V1])
})

test.each([
  ['v1', V1],
  ['earlier', EARLIER],
])('reads the set %s alone when it is named', async (set, path) => {
  const { read, calls } = await start()
  const { threat } = await read(`?set=${set}`)
  expect(threat.set).toBe(set)
  expect(threat.records).toHaveLength(1)
  expect(calls()).toEqual([path])
})

test('shows a member that only one of two plans withholds', async () => {
  const { read } = await start({
    v1: { json: { data: v1Detail({ title: '[redacted]', source_url: '[redacted]' }) } },
    earlier: { json: earlierDetail({ source_url: '[redacted]' }) },
  })
  const { threat } = await read()
  expect(threat).toMatchObject({ title: 'Northwind Foods - 80 GB', sourceUrl: null, redacted: ['sourceUrl'] })
})

test('keeps a threat for ten minutes', async () => {
  const { read, wait, calls } = await start()
  await read()
  wait(599_999)
  await read()
  await read('?set=v1')
  expect(calls()).toHaveLength(2)
  wait(1)
  await read()
  expect(calls()).toHaveLength(4)
})

describe('one set answers alone if', () => {
  test.each<[string, StandInReply]>([
    ['does not know the id', NOT_FOUND],
    ['is not in the plan', NO_PLAN],
  ])('the earlier set %s', async (_, earlier) => {
    const { read } = await start({ earlier })
    expect(await read()).toMatchObject({
      threat: { set: 'v1', content: null },
      freshness: { isStale: false },
    })
  })

  test.each<[string, StandInReply]>([
    ['does not know the id', NOT_FOUND],
    ['is not in the plan, or the record not in its window', NO_PLAN],
  ])('v1 %s', async (_, v1) => {
    const { read } = await start({ v1 })
    expect(await read()).toMatchObject({ threat: { set: 'earlier' }, freshness: { isStale: false } })
  })
})

test('reports missing parts when a set fails, and retries soon', async () => {
  const { standIn, read, wait } = await start({ earlier: BROKEN })
  expect(await read()).toMatchObject({
    threat: { set: 'v1', content: null },
    freshness: { isStale: true, staleReason: expect.stringMatching(/^Parts may be missing\. /) },
  })
  standIn.play(EARLIER, { json: earlierDetail() })
  wait(5_000)
  expect(await read()).toMatchObject({
    threat: { content: 'We have 80 GB of Northwind Foods.' },
    freshness: { isStale: false },
  })
})

test.each<[StandInReply, StandInReply, number, string]>([
  [NOT_FOUND, NOT_FOUND, 404, 'not_found'],
  [NO_PLAN, NOT_FOUND, 403, 'plan_not_allowed'],
  [NOT_FOUND, NO_PLAN, 404, 'not_found'],
  [NO_PLAN, NO_PLAN, 403, 'plan_not_allowed'],
  [BROKEN, NOT_FOUND, 502, 'upstream_unavailable'],
  [NOT_FOUND, BROKEN, 502, 'upstream_unavailable'],
  [{ json: { data: v1Detail({ id: 'thr_2' }) } }, NOT_FOUND, 502, 'upstream_unreadable'],
])('reports the more useful one of two refusals', async (v1, earlier, status, code) => {
  const { refuse } = await start({ v1, earlier })
  expect(await refuse()).toMatchObject({ status, code })
})

test('remembers for a minute that there is no such record', async () => {
  const { standIn, refuse, wait, calls: allCalls } = await start({ v1: NOT_FOUND, earlier: NOT_FOUND })
  standIn.play('/api/feed', { json: earlierList([]) })
  const calls = () => allCalls().filter((path) => path !== '/api/feed')
  await refuse()
  wait(59_999)
  await refuse()
  expect(calls()).toHaveLength(2)
  wait(1)
  await refuse()
  expect(calls()).toHaveLength(4)
})

test('requests only one set once the ids of both are known to name different records', async () => {
  const { standIn, ask, calls } = await start()
  standIn.play('/api/feed', { json: earlierList([]) })
  for (const id of ['a', 'b', 'c', 'd']) {
    standIn.play(`/api/v1/threats/${id}`, { json: { data: v1Detail({ id }) } })
    expect((await ask(`/bff/threats/${id}`)).status).toBe(200)
  }
  expect(calls().filter((path) => path.startsWith('/api/feed/'))).toHaveLength(3)
  standIn.play('/api/feed/e', { json: earlierDetail({ id: 'e' }) })
  expect((await ask('/bff/threats/e')).status).toBe(200)
})

test.each(['..%2Fadmin', '%2e%2e', 'a%2Fb', 'a%00', 'ü', 'a%20b'])(
  'refuses the id %s without a call',
  async (id) => {
    const { ask, calls } = await start()
    expect((await ask(`/bff/threats/${id}`)).status).toBeGreaterThanOrEqual(400)
    expect(calls()).toEqual([])
  },
)
