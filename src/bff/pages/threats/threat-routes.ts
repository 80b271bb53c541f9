import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readNewIds } from '#bff/store/changes/change-log.ts'
import type { ListCursor } from '#bff/store/index/arrange-rows.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { authorOf, type ByAuthor } from '#bff/store/read-search.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Timed } from '#bff/upstream/cache/cached-answer.ts'
import { conditionQuerySchema } from '#contract/bff/condition.ts'
import {
  CURSOR_MAX_LENGTH,
  facetParamsSchema,
  facetQuerySchema,
  groupParamsSchema,
  groupQuerySchema,
  type NewThreats,
  type NewThreatsQuery,
  newThreatsQuerySchema,
  type ThreatList,
  type ThreatListQuery,
  threatListQuerySchema,
} from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'

const NAMES_TOO_LONG =
  'The names that this list is ordered by are too long to go on from here. Narrower dates or filters may show the rest.'

/** New threats are counted up to this number. */
const NEW_MAX_COUNT = 1_000

type ThreatRouteDependencies = {
  database: Database
  store: ThreatStore
  clock: Clock
  /** Signs the cursors of lists. */
  secret: string
  secretBefore?: string | undefined
}

/** The feed: its lists, facets and groups, and what its filters match. */
export function threatRoutes(dependencies: ThreatRouteDependencies): BffRoute[] {
  const { database, store, clock, secret, secretBefore } = dependencies
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
    defineRoute('GET /bff/new-threats', {
      access: 'viewer',
      query: newThreatsQuerySchema,
      answer: async ({ query, session }) => ({
        json: await countNewThreats(dependencies, { ...query, author: authorOf(session) }),
      }),
    }),
  ]
}

function toAnswer<T>({ answer, freshForMs }: Timed<T>) {
  return { json: answer, freshForMs }
}

/** The last row of the page before; in an order of the reader's its group and what it is sorted by as well. */
const positionSchema = z.object({
  at: z.iso.datetime(),
  id: z.string(),
  group: z.optional(z.string()),
  value: z.optional(z.string()),
})

const MAC_LENGTH = 22

/** Cursors that only this server makes, and that fit only the query that they were given for. */
class FeedCursors {
  readonly #secret: string
  readonly #secretBefore: string

  /** The cursors of a secret that was replaced are read as well. */
  constructor(secret: string, secretBefore = secret) {
    this.#secret = secret
    this.#secretBefore = secretBefore
  }

  /** Null where there is no room for it: the list ends there. */
  encode(position: ListCursor, query: ThreatListQuery): string | null {
    const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
    const cursor = sign(this.#secret, payload, query) + payload
    return cursor.length <= CURSOR_MAX_LENGTH ? cursor : null
  }

  decode(cursor: string, query: ThreatListQuery): ListCursor {
    const payload = cursor.slice(MAC_LENGTH)
    const given = Buffer.from(cursor.slice(0, MAC_LENGTH))
    const isOurs = [this.#secret, this.#secretBefore].some((secret) => {
      const expected = Buffer.from(sign(secret, payload, query))
      return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
    })
    if (!isOurs) throw badCursor()
    const position = positionSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    // Made by an earlier release.
    if (!position.success) throw badCursor()
    return position.data
  }
}

function sign(secret: string, payload: string, { cursor: _, ...query }: ThreatListQuery): string {
  const used = Object.entries(query).filter(([, value]) => value !== undefined)
  const context = JSON.stringify(used.sort(([a], [b]) => (a < b ? -1 : 1)))
  const mac = createHmac('sha256', secret).update(`feed-cursor\n${context}\n${payload}`)
  return mac.digest('base64url').slice(0, MAC_LENGTH)
}

function badCursor(): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail: 'This place in the list is gone. Read the list from its start.',
    fields: [{ name: 'cursor', reason: 'is not a cursor of this list' }],
  })
}

/** Counts the records after a change that a filter matches. */
async function countNewThreats(
  { database, store, clock }: ThreatRouteDependencies,
  { after, ...filter }: NewThreatsQuery & ByAuthor,
): Promise<NewThreats> {
  const ids = await readNewIds(database, { after, limit: NEW_MAX_COUNT })
  const bounds = feedBounds(filter, clock.nowMs())
  const matched = await store.matchFacts(filter, bounds, await readFactsOf(database, ids))
  return { newThreats: matched.length, isWhole: ids.length < NEW_MAX_COUNT }
}
