import { Hono } from 'hono'
import { type V1Actors, v1ActorsQuerySchema } from '#contract/upstream/v1/threat-actor.ts'
import { parseQuery } from '#service/request/parse-query.ts'
import { requireLimit } from '#service/request/require-limit.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { statedDate } from '#service/threats/threat-record.ts'
import { listActors } from './list-actors.ts'

export function actorRoutes({ database }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>().get('/api/v1/threat-actors', async (c) => {
    const { limit } = parseQuery(c.req.url, v1ActorsQuerySchema)
    const access = c.get('access')
    requireLimit(access, limit)

    const { total, actors } = await listActors(database, access, limit)
    return c.json({
      data: actors.map(({ name, mentions, latestAt, categories }) => ({
        name,
        mentions,
        latest_observed_at: statedDate(latestAt),
        categories,
      })),
      meta: { total, returned: actors.length },
    } satisfies V1Actors)
  })
}
