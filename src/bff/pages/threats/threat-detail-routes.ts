import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { StoredThreats } from '#bff/store/details/find-stored.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import { threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { readRelated } from './related-threats.ts'
import { readStoredThreat } from './stored-threat.ts'

/** One threat: its details, what is stored of it, and others that are related to it. */
export function threatDetailRoutes(dependencies: StoredThreats & { readThreat: ReadThreat }): BffRoute[] {
  const { database, readThreat } = dependencies
  return [
    defineRoute('GET /bff/threats/:id', {
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cache: 'answer',
      async answer({ params, query, request, session }) {
        const readRequest = toReadRequest(request, session)
        const { answer, freshForMs } = await orProblem(() =>
          readThreat(params.id, query.set ?? null, readRequest),
        )
        const concerns = await readThreatConcerns(database, session.user.id, [answer.threat])
        const threat = { ...answer.threat, ...concerns.of(answer.threat.id) }
        return { json: { ...answer, threat }, freshForMs: concerns.freshForMs(freshForMs) }
      },
    }),
    defineRoute('GET /bff/threats/:id/stored', {
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      async answer({ params, query, session }) {
        const stored = await readStoredThreat(dependencies, params.id, query.set ?? null)
        if (!stored) return { json: null }
        const concerns = await readThreatConcerns(database, session.user.id, [stored.threat])
        return { json: { ...stored, threat: { ...stored.threat, ...concerns.of(stored.threat.id) } } }
      },
    }),
    defineRoute('GET /bff/threats/:id/related', {
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cache: 'answer',
      async answer({ params, query, request, session }) {
        const { id } = params
        const readRequest = toReadRequest(request, session)
        const { answer, freshForMs } = await orProblem(() =>
          readRelated(dependencies, id, query.set ?? null, readRequest),
        )
        const concerns = await readThreatConcerns(
          database,
          session.user.id,
          answer.groups.flatMap(({ threats }) => threats),
        )
        const groups = answer.groups.map((group) => ({
          ...group,
          threats: concerns.addTo(group.threats),
        }))
        return { json: { ...answer, groups }, freshForMs: concerns.freshForMs(freshForMs) }
      },
    }),
  ]
}
