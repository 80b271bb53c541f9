import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { authorOf } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Timed } from '#bff/upstream/cache/cached-answer.ts'
import { conditionQuerySchema } from '#contract/bff/condition.ts'
import {
  facetParamsSchema,
  facetQuerySchema,
  groupParamsSchema,
  groupQuerySchema,
  type ThreatList,
  threatListQuerySchema,
} from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { FeedCursors } from './feed-cursor.ts'

const NAMES_TOO_LONG =
  'The names that this list is ordered by are too long to go on from here. Narrower dates or filters may show the rest.'

type ThreatRouteDependencies = {
  database: Database
  store: ThreatStore
  clock: Clock
  /** Signs the cursors of lists. */
  secret: string
  secretBefore?: string | undefined
}

/** The feed: its lists, facets and groups, and what its filters match. */
export function threatRoutes({
  database,
  store,
  clock,
  secret,
  secretBefore,
}: ThreatRouteDependencies): BffRoute[] {
  const cursors = new FeedCursors(secret, secretBefore)
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
        const concerns = await readThreatConcerns(database, session.user.id, answer.threats)
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
  ]
}

function toAnswer<T>({ answer, freshForMs }: Timed<T>) {
  return { json: answer, freshForMs }
}
