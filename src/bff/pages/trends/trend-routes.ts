import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { authorOf } from '#bff/store/read-search.ts'
import { trendQuerySchema } from '#contract/bff/trend-query.ts'
import { createReadTrend, type ReadTrendDependencies } from './read-trend.ts'

export function trendRoutes(dependencies: ReadTrendDependencies): BffRoute[] {
  const readTrend = createReadTrend(dependencies)
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/trends',
      access: 'viewer',
      query: trendQuerySchema,
      cache: 'answer',
      async answer({ query, session }) {
        const { answer, freshForMs } = await readTrend({ ...query, author: authorOf(session) })
        return { json: answer, freshForMs }
      },
    }),
  ]
}
