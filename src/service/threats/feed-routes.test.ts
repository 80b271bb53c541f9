import { expect, test } from 'vitest'
import { type Feed, feedSchema } from '#contract/upstream/earlier/feed.ts'
import { earlierThreatDetailSchema } from '#contract/upstream/earlier/threat.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { insertThreats } from './insert-threats.ts'

const titles = ({ threats }: Feed) => threats.map(({ title }) => title).join('')

test(
  'lists the first country and actor of a record, and empty text where it has none',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ title: 'A', countries: ['SE', 'NO'], threatActors: ['glassheron', 'inkwell'] }),
      makeThreat({ title: 'B', publishedAt: '2026-06-01T00:00:00.000Z' }),
    ])
    const { get } = await openServiceClient(database)

    const { threats, pagination } = await get('/api/feed', feedSchema)

    expect(threats[0]).toEqual({
      id: expect.any(String),
      title: 'A',
      category: 'Ransomware',
      country: 'Sweden',
      country_code: 'SE',
      threat_actor: 'glassheron',
      posted_at: '2026-06-10T08:00:00.000Z',
      severity: 'high',
      excerpt: 'An excerpt.',
    })
    expect(threats[1]).toMatchObject({ country: '', country_code: '', threat_actor: '' })
    expect(pagination).toEqual({ total: 2, limit: 20, offset: 0, has_more: false })
  }),
)

test(
  'filters by category, country and whole days, first and last included',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ title: 'A', countries: ['DE'], publishedAt: '2026-06-03T23:59:59.999Z' }),
      makeThreat({
        title: 'B',
        countries: ['FR'],
        category: 'DDoS',
        publishedAt: '2026-06-03T00:00:00.000Z',
      }),
      makeThreat({ title: 'C', countries: ['DE', 'FR'], publishedAt: '2026-06-01T12:00:00.000Z' }),
    ])
    const { get } = await openServiceClient(database)
    const ask = async (query: string) => {
      const feed = await get(`/api/feed?${query}`, feedSchema)
      expect(feed.pagination.total).toBe(feed.threats.length)
      return titles(feed)
    }

    expect(await ask('category=Ransomware')).toBe('AC')
    expect(await ask('country=fr')).toBe('BC')
    expect(await ask('country=FR&category=DDoS')).toBe('B')
    expect(await ask('date_from=2026-06-03&date_to=2026-06-03')).toBe('AB')
    expect(await ask('date_to=2026-06-02')).toBe('C')
    expect(await ask('date_from=2026-06-04')).toBe('')
  }),
)

test(
  'searches all that a source says, by word and by phrase, whatever the script, case and accents',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({
        title: 'Société Générale d\u200BÉnergie',
        content: 'lock bit',
        publishedAt: '2026-06-09T00:00:00.000Z',
      }),
      makeThreat({
        title: '株式会社ベルモラ 流出',
        threatActors: ['Lock'],
        publishedAt: '2026-06-08T00:00:00.000Z',
      }),
      makeThreat({ title: 'Bit', domains: ['north-wind.example'], publishedAt: '2026-06-07T00:00:00.000Z' }),
      makeThreat({
        title: '100%_\\',
        organizations: ['Lock'],
        content: 'Bit',
        publishedAt: '2026-06-06T00:00:00.000Z',
      }),
    ])
    const { get, fail } = await openServiceClient(database)
    const ask = async (search: string, rest = '') => {
      const feed = await get(`/api/feed?search=${encodeURIComponent(search)}${rest}`, feedSchema)
      expect(feed.pagination.total).toBe(feed.threats.length)
      return feed.threats.map(({ posted_at }) => posted_at.slice(9, 10)).join('')
    }

    expect(await ask('SOCIETE generale')).toBe('9')
    expect(await ask('"lock bit"')).toBe('9')
    expect(await ask('lock bit')).toBe('96')
    expect(await ask('式会')).toBe('8')
    expect(await ask('会式')).toBe('')
    expect(await ask('loc')).toBe('')
    expect(await ask('north-wind.example')).toBe('7')
    expect(await ask('100%')).toBe('6')
    expect(await ask('bit', '&date_to=2026-06-07')).toBe('76')
    expect(await fail('/api/feed?search=%21%3F')).toEqual([400, expect.stringContaining('"search"')])
  }),
)

test(
  'pages by offset add up to the whole list, however far the page',
  withDatabase('service', async (database) => {
    const threats = Array.from({ length: 57 }, (_, index) =>
      makeThreat({
        title: `${index}`,
        countries: index % 2 ? ['DE'] : [],
        content: 'lock bit',
        publishedAt: `2026-05-${10 + (index % 9)}T0${index % 4}:00:00.000Z`,
      }),
    )
    await insertThreats(database, threats)
    const { get } = await openServiceClient(database)

    for (const filter of ['', 'country=DE&', 'date_from=2026-05-12&', 'search=lock&']) {
      const whole = await get(`/api/feed?${filter}limit=100`, feedSchema)
      const pieces: Feed['threats'] = []
      for (let offset = 0; offset < whole.pagination.total; offset += 5) {
        const page = await get(`/api/feed?${filter}limit=5&offset=${offset}`, feedSchema)
        expect(page.pagination.has_more).toBe(offset + 5 < whole.pagination.total)
        pieces.push(...page.threats)
      }
      expect(pieces).toEqual(whole.threats)
    }
    expect(await get('/api/feed?offset=57', feedSchema)).toEqual({
      threats: [],
      pagination: { total: 57, limit: 20, offset: 57, has_more: false },
    })
  }),
)

test(
  'answers one record whole, with pictures that need no key',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({
        content: 'First line\u2028second line <b>bold</b>',
        sourceUrl: 'http://leak.example/1',
        evidence: [
          { type: 'Screenshot', url: '/evidence/leak-site-7' },
          { type: 'Screenshot', url: 'https://pictures.example/1.png' },
        ],
        analysis: { summary: 'Likely real.', impact: 'Outage.', recommendations: ['Check backups.'] },
      }),
    ])
    const { app, get, fail } = await openServiceClient(database)
    const { threats } = await get('/api/feed', feedSchema)

    const detail = await get(`/api/feed/${threats[0]?.id}`, earlierThreatDetailSchema)

    expect(detail).toMatchObject({
      content: 'First line\u2028second line <b>bold</b>',
      source_url: 'http://leak.example/1',
      evidence: [
        { url: expect.stringMatching(/^https:\/\/service\.example\/evidence\/leak-site-7\.[\w-]{22}\.png$/) },
        { url: 'https://pictures.example/1.png' },
      ],
      ai_analysis: {
        risk_level: 'high',
        summary: 'Likely real.',
        impact: 'Outage.',
        recommendations: ['Check backups.'],
      },
    })
    expect((await app.request(detail.evidence[0]?.url ?? '')).headers.get('content-type')).toBe('image/png')
    expect(await fail('/api/feed/thr_unknown')).toEqual([404, 'Threat not found'])
  }),
)
