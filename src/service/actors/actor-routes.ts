import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type V1Actors, v1ActorsQuerySchema } from '#contract/upstream/v1/threat-actor.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { parseQuery } from '#service/request/parse-query.ts'
import { requireLimit } from '#service/request/require-limit.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import type { Visibility } from '#service/threats/threat-scope.ts'

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
        latest_observed_at: latestAt,
        categories,
      })),
      meta: { total, returned: actors.length },
    } satisfies V1Actors)
  })
}

const actorSchema = z.object({
  name: z.string(),
  mentions: z.int(),
  latestAt: z.string(),
  categories: z.array(z.string()),
})
type Actor = z.infer<typeof actorSchema>

const answerSchema = z.tuple([z.object({ total: z.int(), actors: z.array(actorSchema) })])

/** The most mentioned actors in what a key may see, and how many there are in all. */
async function listActors(
  db: Database,
  { since, isRedacted }: Visibility,
  limit: number,
): Promise<{ total: number; actors: Actor[] }> {
  const { rows } = await db.query(
    `with actor as materialized (
       select value as name, sum(threats)::integer as mentions, max(latest_at) as latest_at,
         array_agg(distinct category order by category) as categories
         from visible_tally($1, $2)
        where country = '' and facet = 'actor'
        group by value
     )
     select (select count(*)::integer from actor) as total,
       coalesce((
         select json_agg(json_build_object('name', name, 'mentions', mentions, 'categories', categories,
           'latestAt', ${isoUtc('latest_at')}))
           from (select * from actor order by mentions desc, name limit $3) most_mentioned
       ), '[]') as actors`,
    [since, isRedacted, limit],
  )
  return answerSchema.parse(rows)[0]
}
