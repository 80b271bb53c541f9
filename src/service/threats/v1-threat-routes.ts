import { Hono } from 'hono'
import { readCountryCode } from '#contract/read-country-code.ts'
import { toInstant } from '#contract/upstream/query-schemas.ts'
import type { V1ThreatAnswer } from '#contract/upstream/v1/threat.ts'
import {
  type V1Threats,
  type V1ThreatsQuery,
  v1ThreatsQuerySchema,
} from '#contract/upstream/v1/threat-list.ts'
import { requireCategories } from '#service/categories/permitted-categories.ts'
import { invalidParameter, ServiceError } from '#service/errors/service-error.ts'
import { parseQuery, refuseParameters } from '#service/request/parse-query.ts'
import { requireLimit } from '#service/request/require-limit.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { listThreatsAfter, type Position } from './list-threats.ts'
import { readThreat } from './read-threat.ts'
import { type CursorContext, decodeCursor, encodeCursor } from './threat-cursor.ts'
import { toV1Threat, toV1ThreatDetail } from './to-v1-threat.ts'

export function v1ThreatRoutes({ database, secret }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>()
    .get('/api/v1/threats', async (c) => {
      const query = parseQuery(c.req.url, v1ThreatsQuerySchema)
      const access = c.get('access')
      requireLimit(access, query.limit)
      const filters = readFilters(query)
      const cursorContext = { secret, keyId: access.keyId, filters: Object.values(filters) }
      const after = readCursor(query.cursor, cursorContext)
      if (query.category) {
        await requireCategories(database, access, { name: 'category', categories: [query.category] })
      }

      const scope = {
        category: query.category,
        country: query.country && (readCountryCode(query.country) ?? query.country),
        from: query.since && toInstant(query.since),
      }
      // One record more than asked for tells whether another page follows.
      const { total, threats } = await listThreatsAfter(database, access, scope, {
        after,
        limit: query.limit + 1,
      })
      const page = threats.slice(0, query.limit)
      const last = threats.length > query.limit ? page.at(-1) : undefined
      return c.json({
        data: page.map(toV1Threat),
        meta: {
          total,
          returned: page.length,
          cursor: last ? encodeCursor(last, cursorContext) : null,
          filters_applied: filters,
        },
      } satisfies V1Threats)
    })
    .get('/api/v1/threats/:id', async (c) => {
      refuseParameters(c.req.url)
      const threat = await readThreat(database, c.get('access'), c.req.param('id'))
      if (threat === null) throw new ServiceError(404, 'Threat not found')
      if (threat === 'outside_window') {
        throw new ServiceError(403, "This threat is outside the data window of the key's plan")
      }
      return c.json({ data: toV1ThreatDetail(threat) } satisfies V1ThreatAnswer)
    })
}

function readFilters({ category, country, since }: V1ThreatsQuery) {
  return { category: category ?? null, country: country ?? null, since: since ?? null }
}

function readCursor(cursor: string | undefined, context: CursorContext): Position | null {
  if (cursor === undefined) return null
  const position = decodeCursor(cursor, context)
  if (position === null) throw invalidParameter('cursor', 'must be the meta.cursor of a page of this list')
  return position
}
