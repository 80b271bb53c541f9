import { Hono } from 'hono'
import { type Feed, feedQuerySchema } from '#contract/upstream/earlier/feed.ts'
import type { EarlierThreatDetail } from '#contract/upstream/earlier/threat.ts'
import type { Keyword } from '#matcher/keyword.ts'
import { parseQuestion } from '#matcher/question.ts'
import { requireCategories } from '#service/categories/permitted-categories.ts'
import { invalidParameter, ServiceError } from '#service/errors/service-error.ts'
import { publicEvidenceUrl } from '#service/evidence/evidence-name.ts'
import { parseQuery, refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { listThreatsFrom } from './list-threats.ts'
import { readThreat } from './read-threat.ts'
import { toEarlierThreat, toEarlierThreatDetail } from './to-earlier-threat.ts'

export function feedRoutes({ database, secret, publicUrl }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>()
    .get('/api/feed', async (c) => {
      const query = parseQuery(c.req.url, feedQuerySchema)
      const { limit, offset, category, country } = query
      const access = c.get('access')
      if (category) await requireCategories(database, access, { name: 'category', categories: [category] })

      const scope = {
        category,
        country,
        from: query.date_from,
        lastDay: query.date_to,
        keywords: query.search === undefined ? undefined : readKeywords(query.search),
      }
      const { total, threats } = await listThreatsFrom(database, access, scope, { offset, limit })
      return c.json({
        threats: threats.map(toEarlierThreat),
        pagination: { total, limit, offset, has_more: offset + threats.length < total },
      } satisfies Feed)
    })
    .get('/api/feed/:id', async (c) => {
      refuseParameters(c.req.url)
      const threat = await readThreat(database, c.get('access'), c.req.param('id'))
      if (threat === null || threat === 'outside_window') throw new ServiceError(404, 'Threat not found')
      return c.json(
        toEarlierThreatDetail(threat, (url) =>
          publicEvidenceUrl(url, { publicUrl, secret }),
        ) satisfies EarlierThreatDetail,
      )
    })
}

function readKeywords(search: string): readonly Keyword[] {
  const { keywords } = parseQuestion(search)
  if (keywords.length === 0) throw invalidParameter('search', 'must hold a letter or a digit')
  return keywords
}
