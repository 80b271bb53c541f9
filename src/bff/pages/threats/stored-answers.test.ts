import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { composeRooms } from '#bff/compose.ts'
import { createLog } from '#bff/http/log.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import {
  facetAnswerSchema,
  relatedThreatsSchema,
  threatAnswerSchema,
  threatListSchema,
} from '#contract/bff/threat-list.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'

const FEED = '/bff/threats'

/** Every third record is of one actor, every second in one country. */
function makeRecord(at: number, minutesAgo = at) {
  return {
    id: `thr_${at}`,
    title: at % 2 === 0 ? 'Lock bit names Northwind' : 'Ashfall names Contoso',
    summary: 'A summary.',
    category: 'Ransomware',
    threat_actors: [at % 3 === 0 ? 'LockBit' : 'Ashfall'],
    victims: {
      countries: [at % 2 === 0 ? 'Germany' : 'Japan'],
      industries: ['Food'],
      organizations: [at % 2 === 0 ? 'Northwind' : 'Contoso'],
      domains: [],
    },
    risk_level: 'high',
    ai_analysis: 'Likely.',
    published_at: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString(),
  }
}

async function start(
  database: OpenDatabase,
  records = Array.from({ length: 120 }, (_, at) => makeRecord(at)),
) {
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', ({ query }) => {
    const from = Number(query.cursor ?? 0)
    const data = records.slice(from, from + Number(query.limit))
    const end = from + data.length
    return {
      json: { data, meta: { total: records.length, cursor: end < records.length ? String(end) : null } },
    }
  })
  const data = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
    database,
    secret: 'secret-of-the-tests',
    origin: 'http://localhost:4173',
    log: createLog(() => {}),
  })
  const reader = data.startReader(database)
  const bff = await createTestBff(database, { routes: data.routes })
  await bff.signIn()
  const source = async () => sourceSchema.parse(await (await bff.ask('/bff/source')).json())
  while ((await source()).window.status !== 'complete') {
    data.store.forget()
    await sleep(50)
  }
  const list = async (query = '') => threatListSchema.parse(await (await bff.ask(FEED + query)).json())
  const close = async () => {
    await reader.close()
    await data.close()
  }
  /** Counts calls, except the background one for older records. */
  const countCalls = () => standIn.calls.filter(({ path }) => path !== '/api/feed').length
  return { ...bff, standIn, source, list, close, countCalls }
}

type Feed = Awaited<ReturnType<typeof start>>

/** A test with a window that is filled. */
function withStored(run: (feed: Feed) => Promise<void>, records?: ReturnType<typeof makeRecord>[]) {
  return withDatabase('bff', async (database) => {
    const feed = await start(database, records)
    try {
      await run(feed)
    } finally {
      await feed.close()
    }
  })
}

test(
  'answers every query of the feed without a call once the store is filled',
  withStored(async ({ list, countCalls }) => {
    const before = countCalls()
    const page = await list('?actor=lockbit&country=DE&country=JP&q=%22lock+bit%22&severity=high')
    expect(page).toMatchObject({
      total: 20,
      understoodAs: '"lock bit"',
      nextCursor: null,
      facets: {
        country: [{ value: 'DE', count: 20 }],
        actor: [
          { value: 'Ashfall', count: 40 },
          { value: 'LockBit', count: 20 },
        ],
      },
    })
    let next: string | null = null
    const ids: string[] = []
    do {
      const { threats, nextCursor }: Awaited<ReturnType<typeof list>> = await list(
        next ? `?cursor=${next}` : '',
      )
      ids.push(...threats.map(({ id }) => id))
      next = nextCursor
    } while (next)
    expect(ids).toEqual(Array.from({ length: 120 }, (_, at) => `thr_${at}`))
    expect(countCalls()).toBe(before)
  }),
)

test(
  'finds values of a filter by a part of their text, counted within the other filters',
  withStored(async ({ ask, countCalls }) => {
    const before = countCalls()
    const find = async (path: string) =>
      facetAnswerSchema.parse(await (await ask(`/bff/facets/${path}`)).json())
    const LockBit = { value: 'LockBit', count: 20 }
    const Ashfall = { value: 'Ashfall', count: 40 }
    const whole = { more: 0, isExact: true }
    // Its own values do not narrow what can be chosen beside them; several countries do.
    expect(await find('actor?country=DE&actor=LockBit')).toEqual({ values: [Ashfall, LockBit], ...whole })
    expect((await find('actor?country=DE&country=JP')).values.map(({ count }) => count)).toEqual([80, 40])
    expect(await find('actor?country=DE&text=%C3%A0SHF')).toEqual({ values: [Ashfall], ...whole })
    expect(await find('actor?text=nobody')).toEqual({ values: [], ...whole })
    expect((await find('actor?from=2020-01-01&country=DE')).values).toEqual([Ashfall, LockBit])
    expect((await ask('/bff/facets/triage')).status).toBe(400)
    expect(countCalls()).toBe(before)
  }),
)

test(
  'takes a cursor only with the question that it was given for',
  withStored(async ({ list, ask }) => {
    const { nextCursor } = await list('?category=Ransomware')
    const problem = await readProblem(await ask(`${FEED}?category=Other&cursor=${nextCursor}`))
    expect(problem).toMatchObject({ status: 400, fields: [{ name: 'cursor' }] })
  }),
)

test(
  'answers for older times without a call: with what is stored, and what is missing',
  withStored(async ({ list, countCalls }) => {
    const before = countCalls()
    const { total } = await list('?actor=LockBit')
    const older = await list('?actor=LockBit&from=2020-01-01&sort=victim')
    expect(older.total).toBe(total)
    expect(older.freshness.coverage).toMatchObject({ status: 'part', gaps: [{ to: expect.any(String) }] })
    expect(countCalls()).toBe(before)
  }),
)

test(
  'shows the listed members of a threat and related threats while the vendor fails',
  withStored(async ({ ask, standIn, countCalls }) => {
    standIn.play('/api/v1/threats/thr_3', { status: 500, json: { error: 'Down' } })
    standIn.play('/api/feed/thr_3', { status: 500, json: { error: 'Down' } })
    const { threat, freshness } = threatAnswerSchema.parse(await (await ask(`${FEED}/thr_3`)).json())
    expect(threat).toMatchObject({ title: 'Ashfall names Contoso', content: null, records: [] })
    expect(freshness.isStale).toBe(true)

    const before = countCalls()
    const { groups } = relatedThreatsSchema.parse(await (await ask(`${FEED}/thr_3/related`)).json())
    expect(groups.map(({ relation, value, threats }) => [relation, value, threats.at(0)?.id])).toEqual([
      ['actor', 'LockBit', 'thr_0'],
      ['victim', 'Contoso', 'thr_1'],
      ['country', 'JP', 'thr_1'],
    ])
    expect(countCalls()).toBe(before)
  }),
)
