import { expect, test } from 'vitest'
import { v1ActorsSchema } from '#contract/upstream/v1/threat-actor.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'

const threats = [
  makeThreat({ threatActors: ['inkwell'], publishedAt: '2026-06-14T00:00:00.000Z' }),
  makeThreat({ threatActors: ['glassheron', 'inkwell'], publishedAt: '2026-06-08T12:00:00.000Z' }),
  makeThreat({ threatActors: ['glassheron'], category: 'DDoS', publishedAt: '2026-06-08T11:59:59.999Z' }),
  makeThreat({ threatActors: ['glassheron'], publishedAt: '2020-01-01T00:00:00.000Z' }),
]

test(
  'lists actors by mentions, with the latest observation and all categories',
  withDatabase('service', async (database) => {
    await insertThreats(database, threats)
    const { get } = await openServiceClient(database)
    expect(await get('/api/v1/threat-actors', v1ActorsSchema)).toEqual({
      data: [
        {
          name: 'glassheron',
          mentions: 3,
          latest_observed_at: '2026-06-08T12:00:00.000Z',
          categories: ['DDoS', 'Ransomware'],
        },
        {
          name: 'inkwell',
          mentions: 2,
          latest_observed_at: '2026-06-14T00:00:00.000Z',
          categories: ['Ransomware'],
        },
      ],
      meta: { total: 2, returned: 2 },
    })
    expect((await get('/api/v1/threat-actors?limit=1', v1ActorsSchema)).meta).toEqual({
      total: 2,
      returned: 1,
    })
  }),
)

test(
  'counts for a trial key what its window shows, to the moment',
  withDatabase('service', async (database) => {
    await insertThreats(database, threats)
    const { get, fail } = await openServiceClient(database, { v1Plan: 'trial' })
    const { data } = await get('/api/v1/threat-actors', v1ActorsSchema)
    expect(data.map(({ name, mentions, categories }) => [name, mentions, categories])).toEqual([
      ['inkwell', 2, ['Ransomware']],
      ['glassheron', 1, ['Ransomware']],
    ])
    expect(await fail('/api/v1/threat-actors?limit=51')).toEqual([400, expect.stringContaining('1 to 50')])
  }),
)
