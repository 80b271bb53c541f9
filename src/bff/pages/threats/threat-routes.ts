import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { toReadRequest } from '#bff/vendor/cache/read-request.ts'
import { orProblem } from '#bff/vendor/client/to-problem.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import type { Window } from '#bff/window/window.ts'
import { threatListQuerySchema, threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { FeedCursors } from './feed-cursor.ts'
import { createListThreats, type ListThreatsDependencies } from './list-threats.ts'
import { createReadRelated } from './related-threats.ts'
import { createThreatPages, type ThreatPagesDependencies } from './threat-pages.ts'

type ThreatRouteDependencies = ThreatPagesDependencies &
  Omit<ListThreatsDependencies, 'readPage' | 'cursors'> & {
    categories: () => SeenCategories
    window: Pick<Window, 'list' | 'isEmpty' | 'find' | 'newest'>
    readThreat: ReadThreat
    /** Signs the cursors of lists. */
    secret: string
  }

export function threatRoutes({ readThreat, secret, ...rest }: ThreatRouteDependencies): BffRoute[] {
  const readPage = createThreatPages(rest)
  const listThreats = createListThreats({ ...rest, readPage, cursors: new FeedCursors(secret) })
  const readRelated = createReadRelated({ ...rest, readThreat, listThreats })

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/threats',
      access: 'viewer',
      query: threatListQuerySchema,
      cache: 'answer',
      async answer({ query, request, session }) {
        const { answer, freshForMs } = await orProblem(() =>
          listThreats(query, toReadRequest(request, session)),
        )
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
          readThreat(params.id, query.set ?? null, toReadRequest(request, session)),
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
          readRelated(params.id, query.set ?? null, toReadRequest(request, session)),
        )
        return { json: answer, freshForMs }
      },
    }),
  ]
}
