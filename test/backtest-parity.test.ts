import { expect, test } from 'vitest'
import { runBacktest } from '#bff/pages/alerts/backtest.ts'
import { createFindMatches } from '#bff/pages/alerts/profile-matches.ts'
import { readAlertProfiles } from '#bff/vendor/reader/read-alert-profiles.ts'
import { readThreatList } from '#bff/vendor/reader/read-threat-list.ts'
import { createDictionaries, toRows } from '#bff/window/index/index-rows.ts'
import { searchedText, termsOf } from '#bff/window/index/threat-terms.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { Random } from './support/random.ts'
import { createTestService } from './support/service/create-test-service.ts'
import { makeThreat } from './support/service/make-threat.ts'
import { withDatabase } from './support/with-database.ts'

const NOW_MS = Date.parse('2026-06-15T12:00:00Z')
const MINUTE_MS = 60_000
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
  'a backtest counts what the same profile then triggers on the same records',
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
    const findMatches = createFindMatches()
    const counts: { id: string; matches: number }[] = []
    for (const { id, keywords, categories } of profiles) {
      const query = { keywords, categories, timeZone: 'UTC' }
      const stored = { from: 0, to: NOW_MS }
      const { counted } = await runBacktest({ query, rows, stored, profiles: [], findMatches, nowMs: NOW_MS })
      counts.push({ id, matches: counted.matches })
    }
    expect(counts).toEqual(profiles.map(({ id, triggeredCount }) => ({ id, matches: triggeredCount })))
    expect(new Set(counts.map(({ matches }) => matches)).size).toBeGreaterThan(10)
  }),
)
