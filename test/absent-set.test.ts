import { expect, test } from 'vitest'
import { HOUR_MS } from '#contract/duration.ts'
import { readProblem } from './support/ask-bff.ts'
import { createTestData } from './support/ask-data.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import {
  earlierDetail,
  earlierList,
  earlierRecord,
  v1Detail,
  v1List,
  v1Record,
} from './support/upstream-records.ts'

const ALERTS = '/bff/alerts?timeZone=UTC'
const DETAIL = '/bff/threats/b?set=earlier'

/** A vendor that answers 404 wherever nothing is played. */
async function start() {
  const standIn = await startStandInUpstream()
  const data = await createTestData({ upstream: { url: standIn.url } })
  const refuse = async (path: string) => readProblem(await data.ask(path))
  /** As the sync does. */
  const readList = () =>
    data.upstream.call(
      'listThreats',
      { query: { limit: 1 } },
      { priority: 'window', who: null, session: null },
    )
  const takeCalls = () => standIn.calls.splice(0).map(({ path }) => path)
  return { ...data, standIn, refuse, takeCalls, readList, generation: () => data.upstream.generation() }
}

test('a vendor without the earlier set costs one call for each route that people open', async () => {
  const { standIn, ask, refuse, takeCalls, wait } = await start()
  expect(await refuse('/bff/metrics')).toMatchObject({
    code: 'not_offered',
    set: 'earlier',
    detail: expect.stringMatching(/^This vendor offers no metrics: it does not have the earlier API\./),
  })
  expect(takeCalls()).toEqual(['/api/metrics', '/api/feed'])

  expect((await refuse(ALERTS)).detail).toMatch(/^This vendor offers no alert profiles:/)
  const source = await (await ask('/bff/source')).json()
  expect(source).toMatchObject({ key: 'valid', sets: { earlier: { status: 'absent', reason: null } } })
  expect(takeCalls()).toEqual(['/api/alerts'])
  await refuse(ALERTS)
  expect(takeCalls()).toEqual([])

  for (const id of ['a', 'b']) {
    standIn.play(`/api/v1/threats/${id}`, { json: { data: v1Detail({ id }) } })
    expect(await (await ask(`/bff/threats/${id}`)).json()).toMatchObject({
      threat: { set: 'v1' },
      missing: { because: 'API v1 gave none, and this vendor does not have the earlier API' },
    })
  }
  expect(takeCalls()).toEqual(['/api/v1/threats/a', '/api/v1/threats/b'])

  // A page that stays open for a day.
  for (let look = 0; look < 24 * 6; look += 1) {
    wait(HOUR_MS / 6)
    await refuse('/bff/metrics')
  }
  expect(takeCalls().length).toBeLessThan(20)
})

test('reports that a vendor without a threat list in the earlier set has alert profiles', async () => {
  const { standIn, ask, refuse, generation, wait } = await start()
  standIn.play('/api/alerts', { json: { alert_profiles: [] } })
  await refuse('/bff/metrics')
  const status = async () => (await (await ask('/bff/source')).json()).sets.earlier.status
  expect(await status()).toBe('absent')
  expect((await ask(ALERTS)).status).toBe(200)
  expect(await status()).toBe('withoutList')
  // Answers that are read again are no other plan, which would drop what is shown.
  const before = generation()
  wait(HOUR_MS / 10)
  expect((await ask(ALERTS)).status).toBe(200)
  expect(generation()).toBe(before)
})

test('a set that begins to answer is noticed within hours', async () => {
  const { standIn, ask, refuse, takeCalls, wait } = await start()
  for (let hour = 0; hour < 24; hour += 1) {
    await refuse('/bff/metrics')
    wait(HOUR_MS)
  }
  takeCalls()
  standIn.play('/api/metrics', { json: { total_threats: 12 } })
  standIn.play('/api/feed/b', { json: earlierDetail({ id: 'b' }) })
  wait(4 * HOUR_MS)
  expect(await (await ask('/bff/metrics')).json()).toMatchObject({ metrics: { totalThreats: 12 } })
  expect((await ask(DETAIL)).status).toBe(200)
  expect(takeCalls()).toEqual(['/api/metrics', '/api/feed/b'])
})

test('a deleted record or an absent route does not mean that the set is absent', async () => {
  const { standIn, ask, refuse, takeCalls } = await start()
  standIn.play('/api/feed', { json: earlierList([earlierRecord()]) })
  standIn.play('/api/feed/b', { json: earlierDetail({ id: 'b' }) })
  expect(await refuse('/bff/threats/a?set=earlier')).toMatchObject({ code: 'not_found' })
  expect((await ask('/bff/threats/b?set=earlier')).status).toBe(200)
  expect(await refuse('/bff/metrics')).toMatchObject({
    code: 'not_offered',
    detail: expect.stringMatching(/^This vendor offers no metrics\./),
  })
  takeCalls()
  await refuse('/bff/metrics')
  expect((await ask(DETAIL)).status).toBe(200)
  expect(takeCalls()).toEqual([])
})

test('reads a vendor without v1 by the earlier set, and reports what it does not offer', async () => {
  const { standIn, ask, refuse, takeCalls, readList } = await start()
  standIn.play('/api/feed/b', { json: earlierDetail({ id: 'b' }) })
  await expect(readList()).rejects.toMatchObject({ kind: 'set_absent' })
  takeCalls()
  expect((await refuse('/bff/actors?timeZone=UTC')).detail).toMatch(
    /^This vendor offers no list of actors: it does not have API v1\./,
  )
  expect((await refuse('/bff/countries/DE?timeZone=UTC')).detail).toMatch(
    /^This vendor offers no statistics of countries: it does not have API v1\./,
  )
  expect((await ask('/bff/threats/b')).status).toBe(200)
  expect(takeCalls()).toEqual(['/api/feed/b'])
})

test('an absent route of v1 is not requested again, but its set still is', async () => {
  const { standIn, refuse, takeCalls, readList } = await start()
  standIn.play('/api/v1/threats', { json: v1List([v1Record()]) })
  await readList()
  expect((await refuse('/bff/actors?timeZone=UTC')).detail).toMatch(/^This vendor offers no list of actors\./)
  takeCalls()
  await refuse('/bff/actors?timeZone=UTC')
  await readList()
  expect(takeCalls()).toEqual(['/api/v1/threats'])
})
