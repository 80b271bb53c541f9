import { toAsk } from '#bff/cache/ask.ts'
import { type BffRoute, defineRoute } from '#bff/route.ts'
import { orProblem } from '#bff/upstream/to-problem.ts'
import { threatListQuerySchema, threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { EARLIER_CALLS_MAX } from './earlier-feed-page.ts'
import type { ListThreats } from './list-threats.ts'
import type { ReadThreat } from './read-threats.ts'
import type { ReadRelated } from './related-threats.ts'

type ThreatRouteDependencies = {
  listThreats: ListThreats
  readThreat: ReadThreat
  readRelated: ReadRelated
}

/** A set that turns out to be forbidden, then the other. */
const LIST_COST = 1 + EARLIER_CALLS_MAX
const DETAIL_COST = 2
const RELATIONS_COUNT = 3

export function threatRoutes({ listThreats, readThreat, readRelated }: ThreatRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/threats',
      access: 'viewer',
      query: threatListQuerySchema,
      cost: LIST_COST,
      cache: 'answer',
      async answer({ query, request }) {
        const { answer, freshForMs } = await orProblem(() => listThreats(query, toAsk(request)))
        return { json: answer, freshForMs }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/threats/:id',
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cost: DETAIL_COST,
      cache: 'answer',
      async answer({ params, query, request }) {
        const { answer, freshForMs } = await orProblem(() =>
          readThreat(params.id, query.set ?? null, toAsk(request)),
        )
        return { json: answer, freshForMs }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/threats/:id/related',
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cost: DETAIL_COST + RELATIONS_COUNT * LIST_COST,
      cache: 'answer',
      async answer({ params, query, request }) {
        const { answer, freshForMs } = await orProblem(() =>
          readRelated(params.id, query.set ?? null, toAsk(request)),
        )
        return { json: answer, freshForMs }
      },
    }),
  ]
}
