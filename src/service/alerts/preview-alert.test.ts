import { expect, test } from 'vitest'
import { alertProfilesSchema } from '#contract/upstream/earlier/alert-profile.ts'
import { alertPreviewSchema } from '#contract/upstream/earlier/preview-alert.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService, readError } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'

const SINCE = '2026-06-01T00:00:00Z'
const TEXTS = [
  'server',
  'Serveur',
  'a SERVER farm',
  'lock bit',
  'lockbit',
  'bit lock',
  '100% of it',
  'sérver',
]
const KEYWORDS = ['server', '"lock bit"', '100%', 'farm']

test(
  'a preview has what the same profile then triggers on, in full texts, and keeps nothing',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise' })
    const profiles = [[], ['ddos']].map((categories) => ({ name: 'All', keywords: KEYWORDS, categories }))
    for (const body of profiles) await ask('/api/alerts', { body: { ...body, categories: [] } })
    await insertThreats(
      database,
      // More than one batch of candidates.
      Array.from({ length: 2_600 }, (_, at) =>
        makeThreat({
          content: TEXTS[at % TEXTS.length],
          category: at % 3 ? 'Ransomware' : 'DDoS',
          publishedAt: new Date(Date.parse('2026-06-10T00:00:00Z') - at * 60_000).toISOString(),
        }),
      ),
    )
    const listed = alertProfilesSchema.parse(await (await ask('/api/alerts')).json()).alert_profiles
    const preview = async (categories: readonly string[]) => {
      const body = { keywords: KEYWORDS, categories, since: SINCE }
      return alertPreviewSchema.parse(await (await ask('/api/alerts/preview', { body })).json())
    }
    const all = await preview([])
    expect(all.compared).toBe(2_600)
    expect(all.matches).toHaveLength(listed[0]?.triggered_count ?? -1)
    expect(all.matches.length).toBeGreaterThan(1_000)
    expect(all.matches.slice(0, 2)).toMatchObject([
      { posted_at: '2026-06-10T00:00:00.000Z', keywords: [0] },
      { posted_at: '2026-06-09T23:58:00.000Z', keywords: [0, 3] },
    ])
    expect((await preview(['ddos'])).matches).toHaveLength(
      all.matches.filter(
        ({ posted_at }) => ((Date.parse('2026-06-10T00:00:00Z') - Date.parse(posted_at)) / 60_000) % 3 === 0,
      ).length,
    )
    expect(alertProfilesSchema.parse(await (await ask('/api/alerts')).json()).alert_profiles).toEqual(listed)
  }),
)

test(
  'compares the records of its time alone, and says what it cannot use',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise' })
    await insertThreats(database, [
      makeThreat({ publishedAt: '2026-05-31T23:59:59.000Z' }),
      makeThreat({ publishedAt: '2026-06-01T00:00:00.000Z' }),
    ])
    const body = { keywords: ['northwind'], since: SINCE }
    expect(await (await ask('/api/alerts/preview', { body })).json()).toMatchObject({
      compared: 1,
      matches: [{ posted_at: '2026-06-01T00:00:00.000Z' }],
      is_cut: false,
    })
    const unusable = await ask('/api/alerts/preview', { body: { ...body, keywords: ['!'] } })
    expect([unusable.status, await readError(unusable)]).toEqual([
      400,
      expect.stringContaining('keywords[0]'),
    ])
    expect((await ask('/api/alerts/preview', { body: { ...body, since: 'yesterday' } })).status).toBe(400)
  }),
)
