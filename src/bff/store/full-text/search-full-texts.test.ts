import { expect, test } from 'vitest'
import { fullTextSearchSchema } from '#contract/bff/full-text-search.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { startFilled } from '#test/support/store/start-filled.ts'
import { earlierList, earlierRecord, v1List, v1Record } from '#test/support/upstream-records.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'

const FEED = '/api/feed'
const SEARCHES = '/bff/full-text-searches'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const earlierAt = (id: string, hours: number) =>
  earlierRecord({ id, title: `Post ${id}`, excerpt: 'An offer.', posted_at: hoursAgo(hours) })

async function start(database: OpenDatabase) {
  const records = [1, 2].map((at) => v1Record({ id: `thr_${at}`, published_at: hoursAgo(at) }))
  const lantern = await startFilled(database, { records })
  const { standIn, rooms, ask } = lantern
  /** Answers searches only: the sync reads the same list, and must not store the records first. */
  const play = (found: readonly unknown[], pagination: Record<string, unknown> = {}) =>
    standIn.play(FEED, ({ query }) => ({
      json: query.search === undefined ? earlierList([]) : earlierList(found, pagination),
    }))
  return {
    ...lantern,
    play,
    sent: () =>
      standIn.calls
        .filter(({ path, query }) => path === FEED && query.search !== undefined)
        .map(({ query }) => query),
    send: (q: string, offset = 0) => ask(SEARCHES, { body: { q, offset } }),
    async search(q: string, offset = 0) {
      return fullTextSearchSchema.parse(await (await ask(SEARCHES, { body: { q, offset } })).json()).last
    },
    known: async (q: string) =>
      fullTextSearchSchema.parse(await (await ask(`${SEARCHES}?q=${encodeURIComponent(q)}`)).json()),
    /** Searches as a person's reload does: no cached answer is used. */
    async find(q: string) {
      rooms.store.forget()
      const headers = { 'x-lantern-refresh': '1' }
      const response = await ask(`/bff/threats?q=${encodeURIComponent(q)}`, { headers })
      const { threats } = threatListSchema.parse(await response.json())
      return threats.map(({ id, foundIn = 'record' }) => ({ [id]: foundIn }))
    },
  }
}

type Started = Awaited<ReturnType<typeof start>>
const withLantern = (check: (lantern: Started, database: OpenDatabase) => Promise<void>) =>
  withDatabase('bff', async (database) => {
    const lantern = await start(database)
    try {
      await check(lantern, database)
    } finally {
      await lantern.close()
    }
  })

test(
  'stores, marks and counts results of the vendor, and sends words once an hour',
  withLantern(async ({ play, search, find, known, sent }) => {
    play([earlierAt('thr_8', 3), earlierRecord({ id: 'thr_1', posted_at: hoursAgo(1) })])
    expect(await known('vault "of Fabrikam" country:DE')).toEqual({
      words: 'vault "of Fabrikam"',
      refusal: null,
      isStored: false,
      last: null,
    })
    expect(await search('vault "of Fabrikam" country:DE')).toMatchObject({ found: 2, added: 1, more: 0 })
    expect(sent()).toEqual([{ search: 'vault "of Fabrikam"', limit: '100', offset: '0' }])
    expect(await find('vault "of Fabrikam"')).toEqual([{ thr_1: 'fullText' }, { thr_8: 'fullText' }])
    expect(await find('vault')).toHaveLength(2)
    expect(await find('vault post')).toEqual([{ thr_8: 'fullText' }])
    expect(await find('post')).toEqual([{ thr_8: 'record' }])
    expect(await find('post -vault')).toEqual([])
    expect(await find('victim:vault')).toEqual([])

    const again = await search('"OF fabrikam" Vault')
    expect(again).toMatchObject({ found: 2, added: 1 })
    expect((await known('vault "of fabrikam" -other')).last).toEqual(again)
    expect(sent()).toHaveLength(1)
  }),
)

test(
  'after an hour the same words are sent again, and what was found before is found still',
  withLantern(async ({ play, search, find, sent }, database) => {
    play([earlierAt('thr_8', 3)])
    await search('vault')
    await database.query(`update full_text_search set searched_at = now() - interval '61 minutes'`)
    await database.query(`update stored_answer set fetched_at = now() - interval '61 minutes'`)
    play([earlierAt('thr_9', 4)])
    expect(await search('vault')).toMatchObject({ found: 1, added: 1 })
    expect(sent()).toHaveLength(2)
    expect(await find('vault')).toEqual([{ thr_8: 'fullText' }, { thr_9: 'fullText' }])
  }),
)

test(
  'spends one call on each further page, also for simultaneous searches',
  withLantern(async ({ standIn, search, sent }) => {
    standIn.play(FEED, ({ query }) => {
      if (query.search === undefined) return { json: earlierList([]) }
      const from = Number(query.offset)
      const found = Array.from({ length: Math.min(100, 130 - from) }, (_, at) =>
        earlierAt(`thr_${1_000 + from + at}`, 3),
      )
      return { json: earlierList(found, { total: 130, offset: from, has_more: from + 100 < 130 }) }
    })
    expect(await search('vault')).toMatchObject({ found: 100, added: 100, nextOffset: 100, more: 30 })
    const [one, other] = await Promise.all([search('vault', 100), search('vault', 100)])
    expect(one).toMatchObject({ found: 130, added: 130, nextOffset: null, more: 0 })
    expect(other).toEqual(one)
    expect(await search('vault', 100)).toEqual(one)
    expect(sent().map(({ offset }) => offset)).toEqual(['0', '100'])
  }),
)

test.each(['country:DE', 'vault OR fabrikam', '-vault', 'vaul*', '***', 'a'.repeat(600)])(
  'a search without words that can be sent costs no call and says why: %s',
  (q) =>
    withLantern(async ({ send, known, sent }) => {
      const problem = await readProblem(await send(q))
      expect(problem).toMatchObject({ status: 422, fields: [{ name: 'q' }] })
      expect(await known(q)).toEqual({ words: null, refusal: problem.detail, isStored: false, last: null })
      expect(sent()).toEqual([])
    })(),
)

test.each<[string, StandInReply, number, string]>([
  ['the plan does not include it', { status: 403, json: { error: 'Plan' } }, 403, 'plan_not_allowed'],
  ['the vendor refuses the words', { status: 400, json: { error: 'search' } }, 422, 'filter_not_supported'],
  ['the calls are used up', { status: 429, json: { error: 'Wait 60 seconds' } }, 429, 'rate_limited'],
  ['the answer is no list', { json: { threats: 'none' } }, 502, 'upstream_unreadable'],
  ['the vendor fails', { status: 500, json: { error: 'Oops' } }, 502, 'upstream_unavailable'],
])('where %s, it says so and claims no search', (_, reply, status, code) =>
  withLantern(async ({ standIn, send, known }) => {
    standIn.play(FEED, reply)
    expect(await readProblem(await send('vault'))).toMatchObject({ status, code })
    expect((await known('vault')).last).toBeNull()
  })(),
)

test(
  'nothing is sent while nothing is stored',
  withDatabase('bff', async (database) => {
    const lantern = await startFilled(database, { records: [], isStored: false })
    const response = await lantern.ask(SEARCHES, { body: { q: 'vault', offset: 0 } })
    expect(await readProblem(response)).toMatchObject({ code: 'window_empty' })
    expect(lantern.standIn.calls).toEqual([])
    await lantern.close()
  }),
)

test('two processes spend one call on the same words, and both find the results', async () => {
  const database = await takeDatabase('bff')
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', { json: v1List([v1Record({ published_at: hoursAgo(1) })]) })
  standIn.play(FEED, { json: earlierList([earlierAt('thr_8', 3)]) })
  const upstream = { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const processes = [await startSignedIn(database, { upstream }), await startSignedIn(database, { upstream })]
  const totals = async (q: string) =>
    Promise.all(
      processes.map(async ({ ask }) =>
        threatListSchema.parse(await (await ask(`/bff/threats?q=${q}`)).json()),
      ),
    ).then((lists) => lists.map(({ total }) => total))
  await expect.poll(() => totals('northwind')).toEqual([1, 1])
  expect(await totals('vault')).toEqual([0, 0])

  const body = { q: 'vault', offset: 0 }
  const found = await Promise.all(processes.map(({ ask }) => ask(SEARCHES, { body })))
  expect(found.map(({ status }) => status)).toEqual([200, 200])
  expect(standIn.calls.filter(({ query }) => query.search !== undefined)).toHaveLength(1)
  await expect.poll(() => totals('vault'), { interval: 50 }).toEqual([1, 1])
})
