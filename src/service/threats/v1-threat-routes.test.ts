import { expect, test } from 'vitest'
import { feedSchema } from '#contract/upstream/earlier/feed.ts'
import { v1ThreatAnswerSchema } from '#contract/upstream/v1/threat.ts'
import { type V1Threats, v1ThreatsSchema } from '#contract/upstream/v1/threat-list.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { publicEvidenceUrl } from '../evidence/evidence-name.ts'
import { insertThreats } from './insert-threats.ts'

const titles = ({ data }: V1Threats) => data.map(({ title }) => title)

test(
  'answers with every field of the newest record first',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ title: 'Older', publishedAt: '2026-06-01T00:00:00.000Z' }),
      makeThreat({
        title: 'Newer',
        summary: 'Claimed on a leak site.',
        threatActors: ['glassheron'],
        countries: ['DE', 'Freedonia'],
        industries: ['Energy'],
        organizations: ['Northwind'],
        domains: ['northwind.example'],
        severity: 'critical',
        analysis: { summary: 'Likely real.', impact: 'Outage.', recommendations: ['Check backups.'] },
        publishedAt: '2026-06-02T00:00:00.123Z',
      }),
    ])
    const { get } = await openServiceClient(database)

    const { data, meta } = await get('/api/v1/threats', v1ThreatsSchema)

    expect(data).toEqual([
      {
        id: expect.stringMatching(/^thr_[\w-]{20}$/),
        title: 'Newer',
        summary: 'Claimed on a leak site.',
        category: 'Ransomware',
        threat_actors: ['glassheron'],
        victims: {
          countries: ['Germany', 'Freedonia'],
          industries: ['Energy'],
          organizations: ['Northwind'],
          domains: ['northwind.example'],
        },
        risk_level: 'critical',
        ai_analysis: 'Likely real.',
        published_at: '2026-06-02T00:00:00.123Z',
      },
      expect.objectContaining({ title: 'Older', ai_analysis: '' }),
    ])
    expect(meta).toEqual({
      total: 2,
      returned: 2,
      cursor: null,
      filters_applied: { category: null, country: null, since: null },
    })
  }),
)

test(
  'filters by category, by country in any spelling, and by time',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ title: 'A', countries: ['DE', 'FR'], publishedAt: '2026-06-03T10:00:00.000Z' }),
      makeThreat({
        title: 'B',
        countries: ['DE'],
        category: 'DDoS',
        publishedAt: '2026-06-02T10:00:00.000Z',
      }),
      makeThreat({
        title: 'C',
        countries: ['Freedonia', 'FREEDONIA'],
        publishedAt: '2026-06-01T10:00:00.000Z',
      }),
    ])
    const { get, fail } = await openServiceClient(database)
    const ask = async (query: string) => {
      const answer = await get(`/api/v1/threats?${query}`, v1ThreatsSchema)
      expect(answer.meta.total).toBe(answer.data.length)
      return titles(answer).join('')
    }

    expect(await ask('category=DDoS')).toBe('B')
    expect(await ask('country=de')).toBe('AB')
    expect(await ask('country=FRANCE')).toBe('A')
    expect(await ask('country=freedonia')).toBe('C')
    expect(await ask('country=Atlantis')).toBe('')
    expect(await ask('country=DE&category=Ransomware')).toBe('A')
    expect(await ask('since=2026-06-02')).toBe('AB')
    expect(await ask('since=2026-06-02T10:00:00Z')).toBe('AB')
    expect(await ask('since=2026-06-02T12:00:01%2B02:00')).toBe('A')
    expect(await fail('/api/v1/threats?category=Gossip')).toEqual([
      400,
      expect.stringContaining('Ransomware, Data Breach, Initial Access, DDoS, Other'),
    ])
  }),
)

test(
  'says which filters were applied, as they were spelt',
  withDatabase('service', async (database) => {
    const { get } = await openServiceClient(database)
    const { meta } = await get('/api/v1/threats?country=gErMaNy&since=2026-06-02', v1ThreatsSchema)
    expect(meta.filters_applied).toEqual({ category: null, country: 'gErMaNy', since: '2026-06-02' })
  }),
)

test(
  'pages are disjoint and complete while records arrive',
  withDatabase('service', async (database) => {
    // Many share a moment, so that pages end between records of one time.
    const moments = Array.from({ length: 40 }, (_, index) => `2026-06-${10 + (index % 4)}T00:00:00.000Z`)
    await insertThreats(
      database,
      moments.map((publishedAt) => makeThreat({ title: 'Early', publishedAt })),
    )
    const { get } = await openServiceClient(database)

    const early: string[] = []
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: V1Threats = await get(
        `/api/v1/threats?limit=7${cursor && `&cursor=${cursor}`}`,
        v1ThreatsSchema,
      )
      seen.push(...page.data.map(({ id }) => id))
      early.push(...page.data.filter(({ title }) => title === 'Early').map(({ id }) => id))
      cursor = page.meta.cursor
      const late = moments.slice(0, 4).map((publishedAt) => makeThreat({ title: 'Late', publishedAt }))
      await insertThreats(database, late)
    }

    expect(new Set(early).size).toBe(40)
    expect(new Set(seen).size).toBe(seen.length)
  }),
)

test(
  'the last page has no cursor, even when it is full',
  withDatabase('service', async (database) => {
    await insertThreats(database, [makeThreat(), makeThreat(), makeThreat(), makeThreat()])
    const { get } = await openServiceClient(database)

    const first = await get('/api/v1/threats?limit=2', v1ThreatsSchema)
    const second = await get(`/api/v1/threats?limit=2&cursor=${first.meta.cursor}`, v1ThreatsSchema)

    expect(second.meta).toMatchObject({ total: 4, returned: 2, cursor: null })
  }),
)

test(
  'refuses cursors that are forged, of another key or of another list',
  withDatabase('service', async (database) => {
    await insertThreats(database, [makeThreat(), makeThreat()])
    const { get, fail } = await openServiceClient(database)
    const stranger = await openServiceClient(database)
    const { meta } = await get('/api/v1/threats?limit=1', v1ThreatsSchema)
    const refusal = [400, 'Invalid parameter "cursor": must be the meta.cursor of a page of this list']

    expect(await fail(`/api/v1/threats?cursor=${meta.cursor}x`)).toEqual(refusal)
    expect(await fail('/api/v1/threats?cursor=garbage')).toEqual(refusal)
    expect(await fail('/api/v1/threats?cursor=.')).toEqual(refusal)
    expect(await fail(`/api/v1/threats?category=DDoS&cursor=${meta.cursor}`)).toEqual(refusal)
    expect(await stranger.fail(`/api/v1/threats?cursor=${meta.cursor}`)).toEqual(refusal)
  }),
)

test(
  'reads cursors and pictures of the secret before while it is replaced, and not after',
  withDatabase('service', async (database) => {
    await insertThreats(database, [makeThreat(), makeThreat()])
    const { get, token } = await openServiceClient(database, { secret: 'old' })
    const { meta } = await get('/api/v1/threats?limit=1', v1ThreatsSchema)
    const picture = publicEvidenceUrl('/evidence/leak-site-7', {
      publicUrl: 'https://service.example',
      secret: 'old',
    })
    const ask = async (secrets: { secret: string; secretBefore?: string }, path: string) => {
      const { app } = await openServiceClient(database, secrets)
      return (await app.request(path, { headers: { authorization: `Bearer ${token}` } })).status
    }
    for (const path of [`/api/v1/threats?limit=1&cursor=${meta.cursor}`, new URL(picture).pathname]) {
      expect(await ask({ secret: 'new', secretBefore: 'old' }, path), path).toBe(200)
      expect(await ask({ secret: 'new' }, path), path).toBeGreaterThanOrEqual(400)
    }
  }),
)

test(
  'distinguishes a record outside the data window of the plan from an unknown one',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({
        title: 'Recent',
        sourceUrl: 'http://leak.example/1',
        publishedAt: '2026-06-14T00:00:00.000Z',
      }),
      makeThreat({ title: 'Ancient', publishedAt: '2020-01-01T00:00:00.000Z' }),
    ])
    const everything = await openServiceClient(database)
    const { get, fail } = await openServiceClient(database, { v1Plan: 'protection' })
    const [recent, ancient] = (await everything.get('/api/v1/threats', v1ThreatsSchema)).data

    const { data } = await get(`/api/v1/threats/${recent?.id}`, v1ThreatAnswerSchema)
    expect(data).toMatchObject({ title: 'Recent', source_url: 'http://leak.example/1', analysis: null })
    expect(await fail(`/api/v1/threats/${ancient?.id}`)).toEqual([
      403,
      expect.stringContaining('data window'),
    ])
    expect(await fail('/api/v1/threats/thr_unknown')).toEqual([404, 'Threat not found'])
    expect((await get('/api/v1/threats', v1ThreatsSchema)).meta.total).toBe(1)
  }),
)

test(
  'a list returns full texts if requested, each up to 15,000 characters',
  withDatabase('service', async (database) => {
    const content = 'The vault holds 80 GB. '.repeat(1_000)
    await insertThreats(database, [makeThreat({ content })])
    const { get, request } = await openServiceClient(database)
    expect((await get('/api/v1/threats', v1ThreatsSchema)).data[0]).not.toHaveProperty('content')
    const { data } = await get('/api/v1/threats?include=content', v1ThreatsSchema)
    expect(data[0]?.content).toBe(content.slice(0, 15_000))
    const feed = await get('/api/feed?include=content&search=vault', feedSchema)
    expect(feed.threats[0]?.content).toBe(content.slice(0, 15_000))
    expect((await request('/api/v1/threats?include=all')).status).toBe(400)
  }),
)
