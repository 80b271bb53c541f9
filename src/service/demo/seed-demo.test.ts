import { expect, test } from 'vitest'
import { feedSchema } from '#contract/upstream/earlier/feed.ts'
import { earlierThreatDetailSchema } from '#contract/upstream/earlier/threat.ts'
import { readHeldData } from '#service/data-version/data-version-queries.ts'
import { NOW, openServiceClient } from '#test/support/service/open-service-client.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { seedDemo } from './seed-demo.ts'

test(
  'fills the service with records that answer like any other',
  withDatabase('service', async (database) => {
    expect((await readHeldData(database)).isDemo).toBe(false)
    expect(await seedDemo(database, { now: new Date(NOW) })).toBe(5000)
    expect((await readHeldData(database)).isDemo).toBe(true)

    const { get } = await openServiceClient(database)
    const { threats, pagination } = await get('/api/feed?category=Ransomware&limit=100', feedSchema)
    const details = await Promise.all(
      threats.slice(0, 10).map(({ id }) => get(`/api/feed/${id}`, earlierThreatDetailSchema)),
    )
    expect(pagination.total).toBeGreaterThan(1500)
    expect(details.flatMap(({ evidence }) => evidence).length).toBeGreaterThan(0)
  }),
)
