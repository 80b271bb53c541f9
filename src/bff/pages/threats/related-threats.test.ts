import { expect, test } from 'vitest'
import { relatedThreatsSchema } from '#contract/bff/threat-list.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import {
  earlierDetail,
  earlierList,
  earlierRecord,
  v1Detail,
  v1List,
  v1Record,
} from '#test/support/upstream-records.ts'

const FEED = '/api/feed'
const LIST = '/api/v1/threats'
const NO_PLAN: StandInReply = { status: 403, json: { error: 'No plan' } }

async function start() {
  const standIn = await startStandInUpstream()
  standIn.play(`${LIST}/thr_1`, { json: { data: v1Detail() } })
  standIn.play(`${FEED}/thr_1`, { json: earlierDetail() })
  standIn.play(LIST, { json: v1List([v1Record(), v1Record({ id: 'thr_2', title: 'Other' })]) })
  standIn.play(FEED, ({ query }) => ({
    json: earlierList([
      earlierRecord(),
      earlierRecord({ id: 'by-actor', title: 'Contoso', excerpt: '', threat_actor: 'ashfall' }),
      earlierRecord({
        id: 'by-victim',
        title: `Again: NORTHWIND foods (${query.search})`,
        threat_actor: 'Other',
      }),
      earlierRecord({ id: 'by-chance', title: 'Northwind and Foods', excerpt: 'Ashfall', threat_actor: 'X' }),
    ]),
  }))
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url } })
  const read = async () => {
    const { groups, freshness } = relatedThreatsSchema.parse(
      await (await ask('/bff/threats/thr_1/related')).json(),
    )
    const named = groups.map(({ relation, value, threats, unavailable }) => ({
      relation,
      value,
      ids: threats.map(({ id }) => id),
      unavailable,
    }))
    return { groups: named, freshness }
  }
  return { standIn, ask, wait, read }
}

test('finds who shares an actor, a victim or a country, and not the threat itself', async () => {
  const { read } = await start()
  const { groups } = await read()
  expect(groups).toEqual([
    { relation: 'actor', value: 'Ashfall', ids: ['by-actor'], unavailable: null },
    { relation: 'victim', value: 'Northwind Foods', ids: ['by-victim'], unavailable: null },
    { relation: 'country', value: 'DE', ids: ['thr_2'], unavailable: null },
  ])
})

test('leaves out the same record under the other set’s id', async () => {
  const { standIn, read } = await start()
  standIn.play(FEED, { json: earlierList([earlierRecord({ id: 'its-twin' })]) })
  expect((await read()).groups[0]).toMatchObject({ relation: 'actor', ids: [] })
})

test('gives at most five a group', async () => {
  const { standIn, read } = await start()
  const many = Array.from({ length: 20 }, (_, index) => v1Record({ id: `more-${index}`, title: `${index}` }))
  standIn.play(LIST, { json: v1List(many) })
  expect((await read()).groups.at(2)?.ids).toHaveLength(5)
})

test('says why a group cannot be filled on the plan', async () => {
  const { standIn, ask, read } = await start()
  standIn.play(FEED, NO_PLAN)
  standIn.play(`${FEED}/thr_1`, NO_PLAN)
  await ask('/bff/threats?set=earlier')
  expect((await read()).groups).toEqual([
    {
      relation: 'actor',
      value: 'Ashfall',
      ids: [],
      unavailable: expect.stringContaining('Only a search of the earlier API'),
    },
    { relation: 'victim', value: 'Northwind Foods', ids: [], unavailable: expect.any(String) },
    { relation: 'country', value: 'DE', ids: ['thr_2'], unavailable: null },
  ])
})

test('finds them for who waits on, when the first to ask goes away', async () => {
  const { ask, read } = await start()
  const leaving = new AbortController()
  const left = ask('/bff/threats/thr_1/related', { signal: leaving.signal }).catch(() => null)
  const staying = read()
  leaving.abort()
  expect((await staying).groups.map(({ unavailable }) => unavailable)).toEqual([null, null, null])
  await left
})

test('keeps the groups for five minutes', async () => {
  const { standIn, read, wait } = await start()
  await read()
  const calls = standIn.calls.length
  wait(299_999)
  await read()
  expect(standIn.calls).toHaveLength(calls)
  wait(1)
  await read()
  expect(standIn.calls.length).toBeGreaterThan(calls)
})

test('a group that fails for the moment says so, and is tried again soon', async () => {
  const { standIn, read, wait } = await start()
  standIn.play(LIST, { status: 503, json: {} })
  expect((await read()).groups.at(2)).toMatchObject({ ids: [], unavailable: expect.stringMatching(/\.$/) })
  standIn.play(LIST, { json: v1List([v1Record({ id: 'thr_2', title: 'Other' })]) })
  wait(15_000)
  expect((await read()).groups.at(2)).toMatchObject({ ids: ['thr_2'], unavailable: null })
})

test('a threat without values has no groups', async () => {
  const { standIn, read } = await start()
  standIn.play(`${LIST}/thr_1`, { json: { id: 'thr_1' } })
  standIn.play(`${FEED}/thr_1`, { status: 404, json: {} })
  expect((await read()).groups).toEqual([])
})
