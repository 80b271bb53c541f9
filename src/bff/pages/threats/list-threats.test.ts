import { describe, expect, test } from 'vitest'
import { type ThreatList, threatListSchema } from '#contract/bff/threat-list.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierList, earlierRecord, v1List, v1Record } from '#test/support/upstream-records.ts'

const LIST = '/api/v1/threats'
const FEED = '/api/feed'
const NO_PLAN = { status: 403, json: { error: 'Your plan does not include this' } }

async function start(keys: { earlierApiKey?: string } = {}) {
  const standIn = await startStandInUpstream()
  standIn.play(LIST, { json: v1List([v1Record()], { total: 1 }) })
  standIn.play(FEED, { json: earlierList([earlierRecord()]) })
  const data = await createTestData({ upstream: { url: standIn.url, ...keys } })
  const list = async (query = ''): Promise<ThreatList> => {
    const response = await data.ask(`/bff/threats${query}`)
    expect(response.status).toBe(200)
    return threatListSchema.parse(await response.json())
  }
  const refuse = async (query = '') => readProblem(await data.ask(`/bff/threats${query}`))
  const calls = () => standIn.calls.map(({ path, query }) => ({ path, query }))
  return { ...data, standIn, list, refuse, calls }
}

test('asks v1 first and says where, when and what it covers', async () => {
  const { list, calls } = await start()
  expect(await list()).toMatchObject({
    threats: [{ id: 'thr_1', set: 'v1' }],
    nextCursor: null,
    total: 1,
    isTotalExact: true,
    answeredBy: 'v1',
    facets: null,
    unreadable: 0,
    freshness: {
      fetchedAt: '2026-03-10T12:00:00.000Z',
      isStale: false,
      staleReason: null,
    },
  })
  expect(calls()).toEqual([{ path: LIST, query: { limit: '50' } }])
})

test('asks v1 with its filters, from the first moment of the day where the reader is', async () => {
  const { list, calls } = await start()
  await list('?category=Data+Breach&country=de&from=2026-03-01&timeZone=Asia/Kathmandu')
  expect(calls()).toEqual([
    {
      path: LIST,
      query: { limit: '50', category: 'Data Breach', country: 'DE', since: '2026-02-28T18:15:00.000Z' },
    },
  ])
})

test('takes the last days from the clock, in the zone of the reader, unless days are named', async () => {
  const { list, calls, wait } = await start()
  await list('?within=7d&timeZone=Asia/Kathmandu')
  // From 17:45 there to after midnight.
  wait(7 * 3_600_000)
  await list('?within=7d&timeZone=Asia/Kathmandu')
  await list('?within=7d&timeZone=Asia/Kathmandu&from=2026-03-01')
  expect(calls().map(({ query }) => query.since)).toEqual([
    '2026-03-03T18:15:00.000Z',
    '2026-03-04T18:15:00.000Z',
    '2026-02-28T18:15:00.000Z',
  ])
})

test('asks the earlier set for what only it can do', async () => {
  const { list, calls } = await start()
  const answer = await list('?q=northwind&country=DE&from=2026-03-01&to=2026-03-09')
  expect(answer).toMatchObject({ answeredBy: 'earlier', isTotalExact: true })
  expect(calls()).toEqual([
    {
      path: FEED,
      query: {
        limit: '50',
        offset: '0',
        country: 'DE',
        date_from: '2026-03-01',
        date_to: '2026-03-09',
        search: 'northwind',
      },
    },
  ])
})

test('cuts the days of another time zone out of whole UTC days', async () => {
  const { standIn, list, calls } = await start()
  const times = [
    '2026-03-10T23:00:00Z',
    '2026-03-10T22:59:59Z',
    '2026-03-09T23:00:00Z',
    '2026-03-09T22:59:59Z',
  ]
  standIn.play(FEED, {
    json: earlierList(times.map((posted_at, index) => earlierRecord({ id: `thr_${index}`, posted_at }))),
  })
  const answer = await list('?from=2026-03-10&to=2026-03-10&timeZone=Europe/Berlin')
  expect(answer.threats.map(({ id }) => id)).toEqual(['thr_1', 'thr_2'])
  expect(answer).toMatchObject({ total: 4, isTotalExact: false, nextCursor: null })
  expect(calls()[0]?.query).toMatchObject({ date_from: '2026-03-09', date_to: '2026-03-10' })
})

test('asks for what of a search has a parameter, leaves out the rest and says so', async () => {
  const { standIn, list, refuse, calls } = await start()
  const some = [
    { id: 'thr_1', threat_actors: ['LockBit'] },
    { id: 'thr_2', threat_actors: ['LockBit'], title: 'A university' },
    { id: 'thr_3', threat_actors: ['Ashfall'] },
  ]
  standIn.play(LIST, {
    json: v1List(
      some.map((one) => v1Record(one)),
      { total: 3 },
    ),
  })
  const q = (text: string) => `?timeZone=Asia/Kathmandu&q=${encodeURIComponent(text)}`
  const answer = await list(
    q('country:Germany category:ransomware after:2026-03-01 actor:lockbit -university'),
  )
  expect(answer).toMatchObject({
    threats: [{ id: 'thr_1' }],
    total: null,
    isTotalExact: false,
    answeredBy: 'v1',
    filteredHere: 'actor has lockbit and not university',
    understoodAs: expect.stringMatching(/^country is Germany and category has ransomware and published on/),
  })
  // Words go where they can be searched for; what must not be there is nobody's parameter.
  await list(q('northwind "lock bit" -university before:2026-03-05'))
  await list(q('northwind OR contoso'))
  expect(calls().map(({ path, query }) => ({ path, ...query }))).toEqual([
    { path: LIST, limit: '50', country: 'DE', category: 'Ransomware', since: '2026-02-28T18:15:00.000Z' },
    { path: FEED, limit: '100', offset: '0', search: 'northwind "lock bit"', date_to: '2026-03-04' },
    { path: LIST, limit: '50' },
  ])
  expect((await refuse(q('acme is:starred'))).fields).toEqual([
    { name: 'q', reason: expect.stringMatching(/^Only stored threats/) },
  ])
})

test('asks v1 from a moment on, and the earlier set for the time up to one', async () => {
  const { standIn, list, calls } = await start()
  await list('?since=2026-03-10T08:30:00%2B05:45&from=2026-03-01')
  expect(calls()[0]?.query).toMatchObject({ since: '2026-03-10T02:45:00.000Z' })
  const times = ['2026-03-10T12:00:00Z', '2026-03-10T11:59:59Z', '2026-03-09T11:59:59Z']
  standIn.play(FEED, {
    json: earlierList(times.map((posted_at, index) => earlierRecord({ id: `thr_${index}`, posted_at }))),
  })
  const answer = await list('?since=2026-03-09T12:00:00Z&until=2026-03-10T12:00:00Z')
  expect(answer.threats.map(({ id }) => id)).toEqual(['thr_1'])
})

test('reads on where the first records lie after the last day', async () => {
  const { standIn, list } = await start()
  const records = Array.from({ length: 150 }, (_, index) =>
    earlierRecord({
      id: `thr_${index}`,
      posted_at: index < 120 ? '2026-03-10T23:30:00Z' : '2026-03-10T12:00:00Z',
    }),
  )
  standIn.play(FEED, ({ query }) => {
    const offset = Number(query.offset)
    const page = records.slice(offset, offset + Number(query.limit))
    return { json: earlierList(page, { total: 150, has_more: offset + page.length < 150 }) }
  })
  const answer = await list('?to=2026-03-10&timeZone=Europe/Berlin')
  expect(answer.threats).toHaveLength(30)
  expect(answer.nextCursor).toBeNull()
})

describe('refuses', () => {
  test('filters that no route set serves, each with the reason, and makes no call', async () => {
    const { refuse, calls } = await start()
    const problem = await refuse('?severity=high&country=DE&country=FR')
    expect(problem).toMatchObject({ status: 422, code: 'filter_not_supported' })
    expect(problem.fields?.map(({ name }) => name)).toEqual(['country', 'severity'])
    expect(calls()).toEqual([])
  })

  test.each([
    ['?timeZone=Middle/Earth', 'timeZone'],
    ['?from=2026-03-10&to=2026-03-09', 'from'],
    ['?from=0001-01-01', 'from'],
    ['?since=2026-03-10', 'since'],
    ['?since=2026-03-10T00:00:00Z&until=2026-03-09T23:00:00-01:00', 'since'],
    ['?country=Germany', 'country.0'],
    ['?cursor=nonsense', 'cursor'],
    ['?page=2', 'page'],
  ])('%s', async (query, field) => {
    const { refuse, calls } = await start()
    expect(await refuse(query)).toMatchObject({
      status: 400,
      code: 'bad_request',
      fields: [{ name: field }],
    })
    expect(calls()).toEqual([])
  })

  test('a category that the source does not know, in its words, and learns those that it names', async () => {
    const { standIn, refuse, ask } = await start()
    const error = 'Invalid category. Permitted: Ransomware, DDoS, Defacement'
    standIn.play(LIST, { status: 400, json: { error } })
    expect(await refuse('?category=Nonsense&country=DE')).toMatchObject({
      status: 422,
      code: 'filter_not_supported',
      fields: [{ name: 'category', reason: error }],
    })
    const source = await (await ask('/bff/source')).json()
    expect(source).toMatchObject({ categories: expect.arrayContaining(['Defacement']) })
  })
})

describe('goes to the other set', () => {
  test('when the plan turns out not to include the first, and remembers', async () => {
    const { standIn, list, calls } = await start()
    standIn.play(LIST, NO_PLAN)
    expect(await list('?country=DE')).toMatchObject({ answeredBy: 'earlier' })
    expect(await list('?country=FR')).toMatchObject({ answeredBy: 'earlier' })
    expect(calls().map(({ path }) => path)).toEqual([LIST, FEED, FEED])
  })

  test('when the source does not have the first, and remembers', async () => {
    const { standIn, list, calls } = await start()
    standIn.play(LIST, { status: 404, raw: '<html>Not Found</html>' })
    expect(await list('?from=2026-03-01')).toMatchObject({ answeredBy: 'earlier' })
    expect(await list('?country=FR')).toMatchObject({ answeredBy: 'earlier' })
    expect(calls().map(({ path }) => path)).toEqual([LIST, FEED, FEED])
  })

  test('when the key of the first is refused and the other has its own, and remembers', async () => {
    const { standIn, list, calls } = await start({ earlierApiKey: 'the-earlier-key' })
    standIn.play(LIST, { status: 401, json: { error: 'Invalid key' } })
    expect(await list('?country=DE')).toMatchObject({ answeredBy: 'earlier' })
    expect(await list('?country=FR')).toMatchObject({ answeredBy: 'earlier' })
    expect(calls().map(({ path }) => path)).toEqual([LIST, FEED, FEED])
  })

  test('but not when the reader insists, or the other cannot answer', async () => {
    const { standIn, refuse } = await start()
    standIn.play(LIST, NO_PLAN)
    standIn.play(FEED, NO_PLAN)
    expect(await refuse('?q=northwind')).toMatchObject({ code: 'plan_not_allowed', set: 'earlier' })
    expect(await refuse('?set=v1')).toMatchObject({ status: 403, code: 'plan_not_allowed', set: 'v1' })
    expect(await refuse('?severity=high')).toMatchObject({ code: 'plan_not_allowed' })
    expect(await refuse('')).toMatchObject({ code: 'plan_not_allowed' })
  })
})

test.each([
  [{ status: 401, json: { error: 'Invalid key' } }, 503, 'key_invalid'],
  [{ status: 429, json: { error: 'x', retry_after: 30 } }, 429, 'rate_limited'],
  [{ status: 429, json: { error: 'x', retry_after: 9999 } }, 429, 'daily_limit_reached'],
  [{ status: 500, json: {} }, 502, 'upstream_unavailable'],
  [{ status: 200, raw: '<html>', headers: { 'content-type': 'text/html' } }, 502, 'upstream_unreadable'],
  [{ json: { error: 'no list here' } }, 502, 'upstream_unreadable'],
])('answers %j with a problem that says what to do', async (reply, status, code) => {
  const { standIn, refuse } = await start()
  standIn.play(LIST, reply)
  expect(await refuse()).toMatchObject({ status, code, set: 'v1', detail: expect.stringMatching(/\.$/) })
})

test('does not blame a filter where nothing can be asked', async () => {
  const { standIn, refuse } = await start()
  standIn.play(LIST, { status: 401, json: { error: 'Invalid key' } })
  await refuse()
  expect(await refuse('?severity=high')).toMatchObject({ status: 503, code: 'key_invalid' })
  expect(await refuse('?severity=high&set=earlier')).toMatchObject({ code: 'key_invalid', set: 'earlier' })
})

test('tells when a limit ends', async () => {
  const { standIn, refuse } = await start()
  standIn.play(LIST, { status: 429, json: { error: 'x', retry_after: 30 } })
  expect(await refuse()).toMatchObject({ retryAt: '2026-03-10T12:00:31.000Z' })
})
