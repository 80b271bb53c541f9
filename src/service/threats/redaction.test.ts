import { expect, test } from 'vitest'
import { v1CountryAnswerSchema } from '#contract/upstream/v1/country.ts'
import { v1ThreatAnswerSchema } from '#contract/upstream/v1/threat.ts'
import { v1ActorsSchema } from '#contract/upstream/v1/threat-actor.ts'
import { v1ThreatsSchema } from '#contract/upstream/v1/threat-list.ts'
import type { Database } from '#database/database.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { insertThreats } from './insert-threats.ts'
import type { ThreatRecord } from './threat-record.ts'

type HiddenValues = (index: number) => Partial<ThreatRecord>

const hiddenNames: HiddenValues = (index) => ({
  title: `Victim ${index}`,
  summary: `Files of victim ${index}`,
  content: `A post on victim ${index}`,
  organizations: [`Victim ${index}`, `Parent of victim ${index}`],
  domains: [`victim${index}.example`],
  sourceUrl: `http://leak.example/${index}`,
  analysis: { summary: `On victim ${index}`, impact: 'Grave.', recommendations: ['One.', 'Two.'] },
})
const hiddenSameName: HiddenValues = () => ({
  title: 'Zebra',
  summary: 'Zebra',
  content: 'Zebra',
  organizations: ['Zebra'],
  domains: ['a.zebra.example', 'b.zebra.example'],
  sourceUrl: 'http://zebra.example/',
  analysis: { summary: 'Zebra', impact: 'Zebra', recommendations: ['Zebra'] },
})

/** Twelve records, all but their hidden values the same; four lie outside a trial's window. */
async function insertSame(database: Database, hidden: HiddenValues) {
  const threats = Array.from({ length: 12 }, (_, index) =>
    makeThreat({
      sourceId: `same-${index}`,
      category: index % 3 ? 'Ransomware' : 'DDoS',
      threatActors: index % 2 ? ['glassheron'] : [],
      countries: index % 4 ? ['DE'] : ['FR', 'DE'],
      industries: ['Energy'],
      publishedAt: `2026-06-${String(3 + index).padStart(2, '0')}T12:00:00.000Z`,
      ...hidden(index),
      ...(index === 5 && { organizations: [], domains: [] }),
    }),
  )
  await insertThreats(database, threats)
}

async function lookAround(database: Database) {
  const open = () => openServiceClient(database, { v1Plan: 'trial' })
  const lists = await open()
  const page = await lists.get('/api/v1/threats?limit=3', v1ThreatsSchema)
  const next = await lists.get(`/api/v1/threats?limit=50&cursor=${page.meta.cursor}`, v1ThreatsSchema)
  const filtered = await lists.get(
    '/api/v1/threats?country=FR&category=DDoS&since=2026-06-10',
    v1ThreatsSchema,
  )
  const details = await open()
  return {
    page: page.data,
    total: page.meta.total,
    next: next.data,
    filtered: [filtered.data, filtered.meta],
    detail: await details.get(`/api/v1/threats/${page.data[0]?.id}`, v1ThreatAnswerSchema),
    actors: await details.get('/api/v1/threat-actors', v1ActorsSchema),
    country: await details.get('/api/v1/countries/DE', v1CountryAnswerSchema),
    misspelt: await details.fail('/api/v1/threats?category=Zebra'),
  }
}

test(
  'a trial key sees the same, whatever the values are that it may not see',
  withDatabase('service', async (first) => {
    await withDatabase('service', async (second) => {
      // Ids are keyed by a secret of the database: with one secret, all else must be equal.
      const { rows } = await first.query('select key::text from threat_id_key')
      await second.query(
        'update threat_id_key set key = (select key from jsonb_to_recordset($1) as kept(key bytea))',
        [JSON.stringify(rows)],
      )
      await insertSame(first, hiddenNames)
      await insertSame(second, hiddenSameName)

      const seen = await lookAround(first)

      expect(seen).toEqual(await lookAround(second))
      expect(JSON.stringify(seen)).not.toMatch(/victim \d|leak\.example|grave/i)
      expect(seen.total).toBe(7)
    })()
  }),
)

test(
  'shows a trial key a title from what it may see, and that the rest is redacted',
  withDatabase('service', async (database) => {
    await insertSame(database, hiddenNames)
    const { get } = await openServiceClient(database, { v1Plan: 'trial' })
    const { data } = await get('/api/v1/threats', v1ThreatsSchema)
    const { data: detail } = await get(`/api/v1/threats/${data[0]?.id}`, v1ThreatAnswerSchema)

    expect(detail).toMatchObject({
      title: 'Ransomware: glassheron',
      summary: '[redacted]',
      ai_analysis: '[redacted]',
      source_url: '[redacted]',
      victims: {
        countries: ['Germany'],
        industries: ['Energy'],
        organizations: ['[redacted]'],
        domains: ['[redacted]'],
      },
    })
    expect(data.map(({ title }) => title)).toContain('Ransomware')
  }),
)

test(
  'marks nothing as redacted that a record does not have',
  withDatabase('service', async (database) => {
    const publishedAt = '2026-06-14T00:00:00.000Z'
    const analysis = { summary: 'Grave.', impact: '', recommendations: [] }
    await insertThreats(database, [
      makeThreat({ publishedAt, sourceId: 'a', summary: '', excerpt: '', content: '' }),
      makeThreat({ publishedAt, sourceId: 'b', category: 'DDoS', analysis }),
    ])
    const { get } = await openServiceClient(database, { v1Plan: 'trial' })
    const details = await Promise.all(
      ['Ransomware', 'DDoS'].map(async (category) => {
        const { data } = await get(`/api/v1/threats?category=${category}`, v1ThreatsSchema)
        return (await get(`/api/v1/threats/${data[0]?.id}`, v1ThreatAnswerSchema)).data
      }),
    )
    expect(details).toMatchObject([
      {
        summary: '',
        ai_analysis: '',
        source_url: null,
        analysis: null,
        victims: { organizations: [], domains: [] },
      },
      { summary: '[redacted]', analysis: { summary: '[redacted]', impact: '', recommendations: [] } },
    ])
  }),
)
