import { createHmac, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { countryName } from '#contract/country.ts'
import { momentSchema } from '#contract/moment.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { toInstant } from '#contract/upstream/query-schemas.ts'
import type { V1Threat, V1ThreatAnswer, V1ThreatDetail } from '#contract/upstream/v1/threat.ts'
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
import { type ListedThreat, type StoredThreat, withContent } from './stored-threat.ts'
import { statedDate } from './threat-record.ts'

const positionSchema = z.tuple([momentSchema, z.string()])

export function v1ThreatRoutes({ database, secret, secretBefore }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>()
    .get('/api/v1/threats', async (c) => {
      const query = parseQuery(c.req.url, v1ThreatsQuerySchema)
      const access = c.get('access')
      requireLimit(access, query.limit)
      const filters = readFilters(query)
      const cursorContext = { secret, secretBefore, keyId: access.keyId, filters: Object.values(filters) }
      const after = readCursor(query.cursor, cursorContext)
      if (query.category) {
        await requireCategories(database, access, { name: 'category', categories: [query.category] })
      }

      const scope = {
        category: query.category,
        country: query.country && (readCountryCode(query.country) ?? query.country),
        from: query.since && toInstant(query.since),
      }
      // One record more than requested shows whether another page follows.
      const { total, threats } = await listThreatsAfter(database, access, scope, {
        after,
        limit: query.limit + 1,
        include: query.include,
      })
      const page = threats.slice(0, query.limit)
      const last = threats.length > query.limit ? page.at(-1) : undefined
      return c.json({
        data: page.map((threat) => withContent(toV1Threat(threat), threat)),
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
      if (threat === 'outside_window')
        throw new ServiceError(403, "This threat is outside the data window of the key's plan")
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

type CursorContext = {
  secret: string
  secretBefore: string | undefined
  keyId: string
  /** The list's query: a cursor goes on with one list only. */
  filters: readonly (string | null)[]
}

/** An opaque cursor that only this service can make, for this key and these filters. */
function encodeCursor({ publishedAt, id }: Position, context: CursorContext): string {
  const position = Buffer.from(JSON.stringify([publishedAt, id])).toString('base64url')
  return `${position}.${sign(position, context)}`
}

/** Returns the position of a cursor; null if it was not made for this key and these filters. */
function decodeCursor(cursor: string, context: CursorContext): Position | null {
  const [, position = '', signature = ''] = /^([\w-]+)\.([\w-]+)$/.exec(cursor) ?? []
  const { secret, secretBefore } = context
  const given = Buffer.from(signature)
  const isOurs = [secret, secretBefore ?? secret].some((each) => {
    const expected = Buffer.from(sign(position, { ...context, secret: each }))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isOurs) return null

  const [publishedAt, id] = positionSchema.parse(JSON.parse(Buffer.from(position, 'base64url').toString()))
  return { publishedAt, id }
}

function sign(position: string, { secret, keyId, filters }: CursorContext): string {
  const message = JSON.stringify(['threat-cursor', keyId, filters, position])
  return createHmac('sha256', secret).update(message).digest('base64url')
}

function toV1Threat(threat: ListedThreat): V1Threat {
  return {
    id: threat.id,
    title: threat.title,
    summary: threat.summary,
    category: threat.category,
    threat_actors: threat.threatActors,
    victims: {
      countries: threat.countries.map((country) => countryName(country) ?? country),
      industries: threat.industries,
      organizations: threat.organizations,
      domains: threat.domains,
    },
    risk_level: threat.severity,
    ...(threat.isSeverityDerived && { severity_derived: true }),
    ai_analysis: threat.analysis?.summary ?? '',
    published_at: statedDate(threat.publishedAt),
  }
}

function toV1ThreatDetail(threat: StoredThreat): V1ThreatDetail {
  return { ...toV1Threat(threat), source_url: threat.sourceUrl, analysis: threat.analysis }
}
