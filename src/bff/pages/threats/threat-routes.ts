import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { toAsk } from '#bff/vendor/cache/ask.ts'
import { orProblem } from '#bff/vendor/client/to-problem.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import { threatListQuerySchema, threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import type { ListThreats } from './list-threats.ts'
import type { ReadRelated } from './related-threats.ts'

type ThreatRouteDependencies = {
  listThreats: ListThreats
  readThreat: ReadThreat
  readRelated: ReadRelated
}

export function threatRoutes({ listThreats, readThreat, readRelated }: ThreatRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/threats',
      access: 'viewer',
      query: threatListQuerySchema,
      cache: 'answer',
      async answer({ query, request, session }) {
        const { answer, freshForMs } = await orProblem(() => listThreats(query, toAsk(request, session)))
        return { json: answer, freshForMs }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/threats/:id',
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cache: 'answer',
      async answer({ params, query, request, session }) {
        const { answer, freshForMs } = await orProblem(() =>
          readThreat(params.id, query.set ?? null, toAsk(request, session)),
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
      cache: 'answer',
      async answer({ params, query, request, session }) {
        const { answer, freshForMs } = await orProblem(() =>
          readRelated(params.id, query.set ?? null, toAsk(request, session)),
        )
        return { json: answer, freshForMs }
      },
    }),
  ]
}
