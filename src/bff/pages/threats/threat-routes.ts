import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { authorOf } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { FindStored } from '#bff/upstream/details/find-stored.ts'
import type { ReadThreat } from '#bff/upstream/details/read-threats.ts'
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
import { createListThreats } from './list-threats.ts'
import { readRelated } from './related-threats.ts'
import { readStoredThreat } from './stored-threat.ts'

type ThreatRouteDependencies = {
  store: Pick<ThreatStore, 'list' | 'find' | 'newest' | 'facet' | 'groups' | 'conditions' | 'storedRange'>
  clock: Clock
  readThreat: ReadThreat
  findStored: FindStored
  /** Signs the cursors of lists. */
  secret: string
  secretBefore?: string | undefined
}

export function threatRoutes(dependencies: ThreatRouteDependencies): BffRoute[] {
  const { store, clock, readThreat, findStored, secret, secretBefore } = dependencies
  const listThreats = createListThreats({ store, clock, cursors: new FeedCursors(secret, secretBefore) })

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/threats',
      access: 'viewer',
      query: threatListQuerySchema,
      cache: 'answer',
      async answer({ query, session }) {
        const { answer, freshForMs } = await listThreats(query, authorOf(session))
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
      async answer({ params, query, session }) {
        const bounds = feedBounds(query, clock.nowMs())
        const { answer, freshForMs } = await store.facet(
          params.name,
          { ...query, author: authorOf(session) },
          bounds,
        )
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
      async answer({ params, query, session }) {
        const bounds = feedBounds(query, clock.nowMs())
        const { answer, freshForMs } = await store.groups(
          params.name,
          { ...query, author: authorOf(session) },
          bounds,
        )
        return { json: answer, freshForMs }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/conditions',
      access: 'viewer',
      query: conditionQuerySchema,
      cache: 'answer',
      async answer({ query, session }) {
        const bounds = feedBounds(query, clock.nowMs())
        const { answer, freshForMs } = await store.conditions({ ...query, author: authorOf(session) }, bounds)
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
          readRelated(dependencies, params.id, query.set ?? null, toReadRequest(request, session)),
        )
        return { json: answer, freshForMs }
      },
    }),
  ]
}
