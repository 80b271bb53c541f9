import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { overviewQuerySchema } from '#contract/bff/overview.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { createReadOverview, type ReadOverviewDependencies } from './read-overview.ts'
import { readLastLeft } from './visit-queries.ts'

export function overviewRoutes(dependencies: ReadOverviewDependencies): BffRoute[] {
  const { database } = dependencies
  const readOverview = createReadOverview(dependencies)
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/overview',
      access: 'viewer',
      // Each reader has an own answer.
      cache: 'none',
      query: overviewQuerySchema,
      async answer({ query, session }) {
        const lastLeft = await readLastLeft(database, session.user.id).catch(orUnknown)
        return { json: await readOverview({ lastLeft, ...query }) }
      },
    }),
  ]
}

/** The rest of the page does not wait for the database. */
function orUnknown(error: unknown): null {
  if (!isDatabaseAway(error)) throw error
  return null
}
