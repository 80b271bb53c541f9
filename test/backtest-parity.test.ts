import { expect, test } from 'vitest'
import { createDictionaries, toRows } from '#bff/store/index/index-rows.ts'
import { selectRows } from '#bff/store/index/select-rows.ts'
import { searchedText, termsOf } from '#bff/store/index/threat-terms.ts'
import { readAlertProfiles } from '#bff/upstream/reader/read-alert-profiles.ts'
import { readThreatList } from '#bff/upstream/reader/read-threat-list.ts'
import { alertListSchema, backtestSchema, profileMatchesSchema } from '#contract/bff/alert.ts'
import { fullTextSearchSchema } from '#contract/bff/full-text-search.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import { anyWordOf } from '#matcher/query/query-tree.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { Random } from './support/random.ts'
import { createTestService } from './support/service/create-test-service.ts'
import { makeThreat } from './support/service/make-threat.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase, withDatabase } from './support/with-database.ts'

const NOW_MS = Date.parse('2026-06-15T12:00:00Z')
const WORDS = [
  'lock',
  'bit',
  'LOCK',
  'acme',
  'Ácme',
  '株式会社',
  'l\u200bock',
  'straße',
  '3.0',
  'Germany',
  '"acme',
]
const CATEGORIES = ['Ransomware', 'DDoS', 'Other']
const RECORDS_COUNT = 90
const PROFILES_COUNT = 40

test(
  'a backtest counts what the same profile then triggers where lists have all of the text',
  withDatabase('service', async (database) => {
    const random = new Random(6)
    const text = (most: number) =>
      Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(
        random.pick([' ', '-', '. ']),
      )
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise', v1Plan: 'defend' })
    for (let made = 0; made < PROFILES_COUNT; made++) {
      const body = {
        name: `profile ${made}`,
        keywords: Array.from({ length: 1 + random.below(3) }, () => text(2)),
        categories: random.chance(0.4) ? random.some(CATEGORIES) : [],
      }
      expect((await ask('/api/alerts', { body })).status).toBe(201)
    }
    const records = Array.from({ length: RECORDS_COUNT }, (_, at) => {
      // The list that a window is read from has no other text.
      const summary = text(6)
      return makeThreat({
        title: text(4),
        summary,
        excerpt: summary,
        content: summary,
        category: random.pick(CATEGORIES),
        countries: random.chance(0.3) ? ['DE'] : [],
        threatActors: random.chance(0.3) ? [text(2)] : [],
        organizations: random.chance(0.5) ? [text(2)] : [],
        publishedAt: new Date(NOW_MS - at * MINUTE_MS).toISOString(),
      })
    })
    await insertThreats(database, records)

    const { profiles = [] } = readAlertProfiles(await (await ask('/api/alerts')).json()) ?? {}
    const { threats = [] } = readThreatList('v1', await (await ask('/api/v1/threats?limit=100')).json()) ?? {}
    expect(threats).toHaveLength(RECORDS_COUNT)
    const facts = threats.map((threat) => ({
      id: threat.id,
      at: Date.parse(threat.publishedAt ?? ''),
      terms: termsOf(threat).map(({ term }) => term),
      searchedText: searchedText(threat),
    }))
    const rows = toRows(createDictionaries(), facts)
    const context = {
      momentsOf: () => ({ start: 0, end: 0 }),
      marksOf: () => undefined,
    }
    const counts = profiles.map(({ id, keywords, categories }) => {
      const query = { tree: anyWordOf(keywords), context }
      const selector = { filter: { category: categories }, bounds: { start: null, end: null }, query }
      return { id, matches: selectRows(rows, selector).matched.length }
    })
    expect(counts).toEqual(profiles.map(({ id, triggeredCount }) => ({ id, matches: triggeredCount })))
    expect(new Set(counts.map(({ matches }) => matches)).size).toBeGreaterThan(10)
  }),
)

test('a backtest of our own service counts what triggers there, in full texts', {
  timeout: 60_000,
}, async () => {
  const random = new Random(7)
  const text = (most: number) =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(' ')
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  const bff = await startSignedIn(await takeDatabase('bff'), {
    upstream: { url: service.url, apiKey: service.apiKey, kind: 'embedded' },
  })
  const drafts = [
    { keywords: ['server'], categories: [] },
    ...Array.from({ length: 12 }, () => ({
      keywords: ['!', text(1), text(2), text(2)],
      categories: random.chance(0.4) ? random.some(CATEGORIES) : [],
    })),
  ]
  for (const [at, draft] of drafts.entries()) {
    // What holds no word is refused by the service.
    const keywords = draft.keywords.filter((keyword) => keyword !== '!')
    const body = { ...draft, keywords, name: `profile ${at}`, email: [], slack: null, teams: null }
    expect((await bff.ask('/bff/alerts', { body })).status).toBe(201)
  }
  const nowMs = Date.now()
  const records = Array.from({ length: RECORDS_COUNT }, (_, at) =>
    makeThreat({
      title: at === 5 ? 'A server' : text(1),
      summary: text(1),
      excerpt: text(1),
      content: at < 12 ? `${text(4)} Server` : text(4),
      category: random.pick(CATEGORIES),
      publishedAt: new Date(nowMs - at * 5 * 60 * MINUTE_MS).toISOString(),
    }),
  )
  await insertThreats(service.database, records)
  const stored = async () => sourceSchema.parse(await (await bff.ask('/bff/source')).json()).window.threats
  await expect.poll(stored, { timeout: 20_000 }).toBe(RECORDS_COUNT)

  // Nobody has opened any of them.
  const search = await (await bff.ask('/bff/threats?q=server')).json()
  expect(threatListSchema.parse(search).total).toBe(12)
  const sent = await (await bff.ask('/bff/full-text-searches?q=server')).json()
  expect(fullTextSearchSchema.parse(sent).isStored).toBe(true)

  const { profiles } = alertListSchema.parse(
    await (await bff.ask('/bff/alerts', { headers: { 'x-lantern-refresh': '1' } })).json(),
  )
  const triggered = drafts.map(
    (_, at) => profiles.find(({ name }) => name === `profile ${at}`)?.triggeredCount ?? -1,
  )
  expect(triggered[0]).toBe(12)
  expect(new Set(triggered).size).toBeGreaterThan(5)

  const backtests = []
  for (const draft of drafts) {
    const body = { keywords: draft.keywords, filter: { category: draft.categories }, timeZone: 'UTC' }
    backtests.push(
      backtestSchema.parse(await (await bff.ask('/bff/alert-profiles/backtest', { body })).json()),
    )
  }
  expect(backtests.map(({ matches }) => matches)).toEqual(triggered)
  for (const { compared, isFullText, days, matches } of backtests) {
    expect([compared, isFullText]).toEqual([RECORDS_COUNT, true])
    expect(days.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(matches)
  }
  const [server] = backtests
  expect(server?.overlaps.find(({ name }) => name === 'profile 0')).toMatchObject({ shared: 12, matches: 12 })
  expect(server?.samples.map(({ keywords }) => keywords)).toEqual(Array(10).fill(['server']))
  // The list of profiles, and the matches of each, say the same.
  expect(profiles.map(({ window }) => window?.matches)).toEqual(
    profiles.map(({ triggeredCount }) => triggeredCount),
  )
  const of = profiles.find(({ name }) => name === 'profile 0')
  const shown = await bff.ask(`/bff/alerts/${of?.id}/matches?timeZone=UTC`)
  expect(profileMatchesSchema.parse(await shown.json())).toMatchObject({ total: 12 })
})
