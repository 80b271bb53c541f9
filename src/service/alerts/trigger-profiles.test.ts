import { expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'

async function openProfiles(database: Database) {
  const { ask } = await createTestService(database, { earlierPlan: 'professional' })
  return {
    create: async (name: string, keywords: string[], categories: string[] = []) => {
      await ask('/api/alerts', { body: { name, keywords, categories } })
    },
    counts: async () => {
      const { alert_profiles: profiles } = await (await ask('/api/alerts')).json()
      return Object.fromEntries(
        profiles.map((profile: { name: string; triggered_count: number }) => [
          profile.name,
          profile.triggered_count,
        ]),
      )
    },
  }
}

test(
  'counts each arriving record that a profile matches',
  withDatabase('service', async (database) => {
    const { create, counts } = await openProfiles(database)
    await create('word', ['northwind'])
    await create('phrase', ['"lock bit"'])
    await create('script', ['株式会社'])
    await create('accent', ['muller'])
    await create('category', ['northwind'], ['DDoS'])
    await create('actor', ['glassheron'])
    await create('part of a word', ['north'])

    await insertThreats(database, [
      makeThreat({ title: 'NORTHWIND hit', threatActors: ['GlassHeron'] }),
      makeThreat({ title: 'Lock-Bit names northwind.example', category: 'DDoS' }),
      makeThreat({ title: '東京株式会社', content: 'bit lock' }),
      makeThreat({ title: 'x', organizations: ['Müller GmbH'] }),
    ])

    expect(await counts()).toEqual({
      word: 2,
      phrase: 1,
      script: 1,
      accent: 1,
      category: 1,
      actor: 1,
      'part of a word': 0,
    })
  }),
)

test(
  'counts a record once, however many keywords it holds and however often it comes',
  withDatabase('service', async (database) => {
    const { create, counts } = await openProfiles(database)
    await create('many', ['acme', 'corp', 'acme corp'])
    const record = makeThreat({ title: 'Acme Corp, acme, ACME' })
    await insertThreats(database, [record])
    await insertThreats(database, [record, { ...record, title: 'Acme again' }])
    expect(await counts()).toEqual({ many: 1 })
  }),
)

test(
  'does not look back: records that were there before a profile do not trigger it',
  withDatabase('service', async (database) => {
    const { create, counts } = await openProfiles(database)
    await insertThreats(database, [makeThreat({ title: 'Acme' })])
    await create('late', ['acme'])
    expect(await counts()).toEqual({ late: 0 })
  }),
)

test(
  'triggers nothing when the records do not arrive after all',
  withDatabase('service', async (database) => {
    const { create, counts } = await openProfiles(database)
    await create('acme', ['acme'])
    const record = makeThreat({ title: 'Acme' })
    await expect(
      database.transaction(async (tx) => {
        await insertThreats(tx, [record])
        throw new Error('the import failed')
      }),
    ).rejects.toThrow('the import failed')
    expect(await counts()).toEqual({ acme: 0 })
    await insertThreats(database, [record])
    expect(await counts()).toEqual({ acme: 1 })
  }),
)

test(
  'counts exactly while many imports bring overlapping records at once',
  withDatabase('service', async (database) => {
    const { create, counts } = await openProfiles(database)
    await create('acme', ['acme'])
    await create('corp', ['corp'])
    const records = Array.from({ length: 40 }, () => makeThreat({ title: 'Acme Corp' }))
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const slice = records.slice(index * 4, index * 4 + 12)
        return insertThreats(database, index % 2 === 0 ? slice : slice.toReversed())
      }),
    )
    expect(await counts()).toEqual({ acme: 40, corp: 40 })
  }),
)
