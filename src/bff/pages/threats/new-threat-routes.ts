import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readNewIds } from '#bff/store/changes/change-log.ts'
import { authorOf, type ByAuthor } from '#bff/store/read-search.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { type NewThreats, type NewThreatsQuery, newThreatsQuerySchema } from '#contract/bff/new-threats.ts'
import type { Database } from '#database/database.ts'

const COUNTED_MAX = 1_000

type Dependencies = { database: Database; store: ThreatStore; clock: Clock }

export function newThreatRoutes(dependencies: Dependencies): BffRoute[] {
  return [
    defineRoute('GET /bff/new-threats', {
      access: 'viewer',
      query: newThreatsQuerySchema,
      answer: async ({ query, session }) => ({
        json: await countNewThreats(dependencies, { ...query, author: authorOf(session) }),
      }),
    }),
  ]
}

/** Counts the records after a change that a filter matches. */
async function countNewThreats(
  { database, store, clock }: Dependencies,
  { after, ...filter }: NewThreatsQuery & ByAuthor,
): Promise<NewThreats> {
  const ids = await readNewIds(database, { after, limit: COUNTED_MAX })
  const bounds = feedBounds(filter, clock.nowMs())
  const matched = await store.matchFacts(filter, bounds, await readFactsOf(database, ids))
  return { newThreats: matched.length, isWhole: ids.length < COUNTED_MAX }
}
