import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { readRow } from '#database/read-rows.ts'
import type { Visibility } from '#service/threats/threat-scope.ts'

const actorSchema = z.object({
  name: z.string(),
  mentions: z.int(),
  latestAt: z.string(),
  categories: z.array(z.string()),
})
export type Actor = z.infer<typeof actorSchema>

const answerSchema = z.object({ total: z.int(), actors: z.array(actorSchema) })

/** The most mentioned actors in what a key may see, and how many there are in all. */
export async function listActors(
  db: Database,
  { since, isRedacted }: Visibility,
  limit: number,
): Promise<{ total: number; actors: Actor[] }> {
  return readRow(db, answerSchema, [since, isRedacted, limit])`
    with actor as materialized (
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
      ), '[]') as actors`
}
