import { expect, test } from 'vitest'
import { alertProfilesSchema } from '#contract/upstream/earlier/alert-profile.ts'
import { v1ThreatsSchema } from '#contract/upstream/v1/threat-list.ts'
import type { Database } from '#database/database.ts'
import { createRandom } from '#service/random.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { deleteDemoThreats } from './delete-demo-threats.ts'
import { insertThreats } from './insert-threats.ts'
import { retallyDays } from './tally-threats.ts'
import type { ThreatRecord } from './threat-record.ts'

/** Records of a fortnight around the start of Protection's window, 2026-03-17T12:00. */
function drawThreats(count: number, seed: number, fields: Partial<ThreatRecord> = {}): ThreatRecord[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () =>
    makeThreat({
      category: random.pick(['Ransomware', 'DDoS', 'Defacement']),
      countries: random.sample(['DE', 'FR', 'US', 'Freedonia'], random.between(0, 3)),
      threatActors: random.sample(['glassheron', 'inkwell'], random.between(0, 2)),
      industries: random.sample(['Energy', 'Retail'], random.between(0, 2)),
      organizations: random.sample(['Northwind', 'Contoso', 'Fabrikam'], random.between(0, 2)),
      publishedAt: new Date(Date.UTC(2026, 2, 10) + random.between(0, 14 * 24) * 3_600_000).toISOString(),
      ...fields,
    }),
  )
}

async function readTallies(db: Database) {
  const { rows } = await db.query('select * from threat_tally order by country, facet, day, category, value')
  return rows
}

/** Expects the tallies that a count of all records would give. */
async function expectTrueTallies(db: Database) {
  const tallies = await readTallies(db)
  await db.query('delete from threat_tally')
  await retallyDays(
    db,
    Array.from({ length: 31 }, (_, day) => `2026-03-${day + 1}`),
  )
  expect(tallies).toEqual(await readTallies(db))
}

test(
  'keeps a record once, however often and by however many it is brought',
  withDatabase('service', async (database) => {
    const threats = drawThreats(60, 1)
    const [first = makeThreat()] = threats

    const added = await Promise.all([
      insertThreats(database, threats),
      insertThreats(database, threats.toReversed()),
      insertThreats(database, [...threats, ...threats]),
    ])

    expect(added.toSorted((a, b) => b - a)).toEqual([60, 0, 0])
    expect(await insertThreats(database, [{ ...first, title: 'Changed' }])).toBe(0)
    expect(await insertThreats(database, [{ ...first, source: 'another' }])).toBe(1)
    expect(await insertThreats(database, [])).toBe(0)
    await expectTrueTallies(database)
  }),
)

test(
  'counts every scope as exactly as counting the records one by one',
  withDatabase('service', async (database) => {
    const threats = drawThreats(300, 2)
    await insertThreats(database, threats)
    const { get } = await openServiceClient(database, { v1Plan: 'protection' })
    const all = await openServiceClient(database)

    for (const category of [undefined, 'Ransomware', 'Defacement']) {
      for (const country of [undefined, 'DE', 'Freedonia']) {
        for (const since of [undefined, '2026-03-14', '2026-03-20T05:00:00Z']) {
          const matches = threats.filter(
            (threat) =>
              (category === undefined || threat.category === category) &&
              (country === undefined || threat.countries.includes(country)) &&
              (since === undefined || Date.parse(threat.publishedAt) >= Date.parse(since)),
          )
          const query = Object.entries({ category, country, since }).flatMap(([name, value]) =>
            value === undefined ? [] : [`${name}=${value}`],
          )
          const path = `/api/v1/threats?${['limit=1', ...query].join('&')}`
          expect((await all.get(path, v1ThreatsSchema)).meta.total).toBe(matches.length)
        }
      }
    }
    const inWindow = threats.filter(({ publishedAt }) => publishedAt >= '2026-03-17T12:00:00.000Z')
    expect((await get('/api/v1/threats?limit=1', v1ThreatsSchema)).meta.total).toBe(inWindow.length)
  }),
)

test(
  'takes the demo records away and leaves the others as if they had been alone',
  withDatabase('service', async (database) => {
    await insertThreats(database, drawThreats(40, 3))
    const before = await readTallies(database)
    await insertThreats(database, drawThreats(50, 4, { isDemo: true }))

    expect(await deleteDemoThreats(database)).toBe(50)

    expect(await readTallies(database)).toEqual(before)
    expect(await deleteDemoThreats(database)).toBe(0)
  }),
)

test(
  'loses no count when records arrive while the demo goes',
  withDatabase('service', async (database) => {
    await insertThreats(database, drawThreats(200, 5, { isDemo: true }))
    const arrivals = Array.from({ length: 8 }, (_, index) => drawThreats(30, 10 + index))

    await Promise.all([
      ...arrivals.slice(0, 4).map((threats) => insertThreats(database, threats)),
      deleteDemoThreats(database),
      ...arrivals.slice(4).map((threats) => insertThreats(database, threats)),
    ])

    await expectTrueTallies(database)
  }),
)

test(
  'triggers a profile once for each record that matches',
  withDatabase('service', async (database) => {
    const { get } = await openServiceClient(database)
    await database.query(
      `insert into alert_profile (account_id, name, keywords, categories)
       select id, 'Watch', array['northwind'], array['Ransomware'] from account`,
    )
    const threats = [
      makeThreat({ title: 'Other', organizations: ['NORTHWIND'] }),
      makeThreat({ title: 'Other', content: 'northwind', category: 'DDoS' }),
      makeThreat({ title: 'Northwinds' }),
    ]

    await insertThreats(database, threats)
    await insertThreats(database, threats)

    const { alert_profiles } = await get('/api/alerts', alertProfilesSchema)
    expect(alert_profiles.map(({ triggered_count }) => triggered_count)).toEqual([1])
  }),
)

test(
  'keeps text as published, but for what no database holds',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ title: 'a\0b\uD800c \u202E<script>\u200B\r\n\u2028' }),
      makeThreat({
        title: `long ${'x'.repeat(1990)}`,
        organizations: ['漢'.repeat(500)],
        countries: ['漢'.repeat(64)],
      }),
    ])
    const { get } = await openServiceClient(database)
    const { data } = await get('/api/v1/threats', v1ThreatsSchema)
    expect(data.map(({ title }) => title)).toContain('ab\uFFFDc \u202E<script>\u200B\r\n\u2028')
  }),
)
