import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { toReadRequest } from '#bff/vendor/cache/read-request.ts'
import { orProblem } from '#bff/vendor/client/to-problem.ts'
import type { FindStored } from '#bff/vendor/details/find-stored.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import type { SeenCategories } from '#bff/vendor/seen-categories.ts'
import { conditionQuerySchema } from '#contract/bff/condition.ts'
import {
  facetParamsSchema,
  facetQuerySchema,
  groupParamsSchema,
  groupQuerySchema,
  threatListQuerySchema,
  threatParamsSchema,
  threatQuerySchema,
} from '#contract/bff/threat-list.ts'
import { FeedCursors } from './feed-cursor.ts'
import { createListThreats, type ListThreatsDependencies } from './list-threats.ts'
import { createReadRelated } from './related-threats.ts'
import { readStoredThreat } from './stored-threat.ts'
import { createThreatPages, type ThreatPagesDependencies } from './threat-pages.ts'

type ThreatRouteDependencies = ThreatPagesDependencies &
  Omit<ListThreatsDependencies, 'readPage' | 'cursors'> & {
    categories: () => SeenCategories
    store: Pick<
      ThreatStore,
      'list' | 'isEmpty' | 'find' | 'newest' | 'facet' | 'groups' | 'conditions' | 'storedRange'
    >
    readThreat: ReadThreat
    findStored: FindStored
    /** Signs the cursors of lists. */
    secret: string
    secretBefore?: string | undefined
  }

export function threatRoutes({
  readThreat,
  findStored,
  secret,
  secretBefore,
  ...rest
}: ThreatRouteDependencies): BffRoute[] {
  const readPage = createThreatPages(rest)
  const listThreats = createListThreats({ ...rest, readPage, cursors: new FeedCursors(secret, secretBefore) })
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
      path: '/bff/facets/:name',
      access: 'viewer',
      params: facetParamsSchema,
      query: facetQuerySchema,
      cache: 'answer',
      async answer({ params, query }) {
        const bounds = feedBounds(query, rest.clock.nowMs())
        const { answer, freshForMs } = await rest.store.facet(params.name, query, bounds)
        return { json: answer, freshForMs }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/groups/:name',
      access: 'viewer',
      params: groupParamsSchema,
      query: groupQuerySchema,
      cache: 'answer',
      async answer({ params, query }) {
        const bounds = feedBounds(query, rest.clock.nowMs())
        const { answer, freshForMs } = await rest.store.groups(params.name, query, bounds)
        return { json: answer, freshForMs }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/conditions',
      access: 'viewer',
      query: conditionQuerySchema,
      cache: 'answer',
      async answer({ query }) {
        const bounds = feedBounds(query, rest.clock.nowMs())
        const { answer, freshForMs } = await rest.store.conditions(query, bounds)
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
      path: '/bff/threats/:id/stored',
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cache: 'none',
      answer: async ({ params, query }) => ({
        json: await readStoredThreat(findStored, params.id, query.set ?? null),
      }),
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
