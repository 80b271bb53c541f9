import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { authorOf } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Timed } from '#bff/upstream/cache/cached-answer.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { FindStored } from '#bff/upstream/details/find-stored.ts'
import type { ReadThreat } from '#bff/upstream/details/read-threats.ts'
import { conditionQuerySchema } from '#contract/bff/condition.ts'
import type { Threat } from '#contract/bff/threat.ts'
import {
  facetParamsSchema,
  facetQuerySchema,
  groupParamsSchema,
  groupQuerySchema,
  type ThreatList,
  threatListQuerySchema,
  threatParamsSchema,
  threatQuerySchema,
} from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { FeedCursors } from './feed-cursor.ts'
import { readRelated } from './related-threats.ts'
import { readStoredThreat } from './stored-threat.ts'

const NAMES_TOO_LONG =
  'The names that this list is ordered by are too long to go on from here. Narrower dates or filters may show the rest.'

type ThreatRouteDependencies = {
  database: Database
  store: ThreatStore
  clock: Clock
  readThreat: ReadThreat
  findStored: FindStored
  /** Signs the cursors of lists. */
  secret: string
  secretBefore?: string | undefined
}

export function threatRoutes(dependencies: ThreatRouteDependencies): BffRoute[] {
  const { database, store, clock, readThreat, findStored, secret, secretBefore } = dependencies
  const cursors = new FeedCursors(secret, secretBefore)
  const concernsOf = ({ user }: ReaderSession, threats: readonly Threat[]) =>
    readThreatConcerns(database, user.id, threats)

  return [
    defineRoute('GET /bff/threats', {
      access: 'viewer',
      query: threatListQuerySchema,
      cache: 'answer',
      async answer({ query, session }) {
        const after = query.cursor === undefined ? null : cursors.decode(query.cursor, query)
        const bounds = feedBounds(query, clock.nowMs())
        const { answer, next, freshForMs } = await store.list(
          { ...query, author: authorOf(session) },
          bounds,
          after,
        )
        const nextCursor = next && cursors.encode(next, query)
        const ending = next && !nextCursor ? { endsEarly: NAMES_TOO_LONG } : {}
        const concerns = await concernsOf(session, answer.threats)
        const threats = concerns.addTo(answer.threats)
        return {
          json: { ...answer, threats, nextCursor, ...ending } satisfies ThreatList,
          freshForMs: concerns.freshForMs(freshForMs),
        }
      },
    }),
    defineRoute('GET /bff/facets/:name', {
      access: 'viewer',
      params: facetParamsSchema,
      query: facetQuerySchema,
      cache: 'answer',
      async answer({ params, query, session }) {
        const search = { ...query, author: authorOf(session) }
        return toAnswer(await store.facet(params.name, search, feedBounds(query, clock.nowMs())))
      },
    }),
    defineRoute('GET /bff/groups/:name', {
      access: 'viewer',
      params: groupParamsSchema,
      query: groupQuerySchema,
      cache: 'answer',
      async answer({ params, query, session }) {
        const search = { ...query, author: authorOf(session) }
        return toAnswer(await store.groups(params.name, search, feedBounds(query, clock.nowMs())))
      },
    }),
    defineRoute('GET /bff/conditions', {
      access: 'viewer',
      query: conditionQuerySchema,
      cache: 'answer',
      async answer({ query, session }) {
        const search = { ...query, author: authorOf(session) }
        return toAnswer(await store.conditions(search, feedBounds(query, clock.nowMs())))
      },
    }),
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
        const concerns = await concernsOf(session, [answer.threat])
        return {
          json: { ...answer, threat: { ...answer.threat, ...concerns.of(answer.threat.id) } },
          freshForMs: concerns.freshForMs(freshForMs),
        }
      },
    }),
    defineRoute('GET /bff/threats/:id/stored', {
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      async answer({ params, query, session }) {
        const stored = await readStoredThreat(findStored, params.id, query.set ?? null)
        if (!stored) return { json: null }
        const concerns = await concernsOf(session, [stored.threat])
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
        const concerns = await concernsOf(
          session,
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

function toAnswer<T>({ answer, freshForMs }: Timed<T>) {
  return { json: answer, freshForMs }
}
