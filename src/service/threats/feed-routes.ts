import { Hono } from 'hono'
import { countryName } from '#contract/country.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { type Feed, feedQuerySchema } from '#contract/upstream/earlier/feed.ts'
import type { EarlierThreat, EarlierThreatDetail } from '#contract/upstream/earlier/threat.ts'
import type { Keyword } from '#matcher/keyword.ts'
import { parseSearch } from '#matcher/search-query.ts'
import { requireCategories } from '#service/categories/permitted-categories.ts'
import { invalidParameter, ServiceError } from '#service/errors/service-error.ts'
import { publicEvidenceUrl } from '#service/evidence/evidence-name.ts'
import { parseQuery, refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { listThreatsFrom } from './list-threats.ts'
import { readThreat } from './read-threat.ts'
import { type ListedThreat, type StoredThreat, withContent } from './stored-threat.ts'
import { statedDate } from './threat-record.ts'

export function feedRoutes({ database, secret, publicUrl }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>()
    .get('/api/feed', async (c) => {
      const query = parseQuery(c.req.url, feedQuerySchema)
      const { limit, offset, category, country, include } = query
      const access = c.get('access')
      if (category) await requireCategories(database, access, { name: 'category', categories: [category] })

      const scope = {
        category,
        country,
        from: query.date_from,
        lastDay: query.date_to,
        keywords: query.search === undefined ? undefined : readKeywords(query.search),
      }
      const { total, threats } = await listThreatsFrom(database, access, scope, { offset, limit, include })
      return c.json({
        threats: threats.map((threat) => withContent(toEarlierThreat(threat), threat)),
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
  const { keywords } = parseSearch(search)
  if (keywords.length === 0) throw invalidParameter('search', 'must hold a letter or a digit')
  return keywords
}

function toEarlierThreat(threat: ListedThreat): EarlierThreat {
  const [country = ''] = threat.countries
  return {
    id: threat.id,
    title: threat.title,
    category: threat.category,
    country: countryName(country) ?? country,
    country_code: readCountryCode(country) ?? '',
    threat_actor: threat.threatActors[0] ?? '',
    posted_at: statedDate(threat.publishedAt),
    severity: threat.severity,
    ...(threat.isSeverityDerived && { severity_derived: true }),
    excerpt: threat.excerpt,
  }
}

function toEarlierThreatDetail(
  threat: StoredThreat,
  evidenceUrl: (url: string) => string,
): EarlierThreatDetail {
  return {
    ...toEarlierThreat(threat),
    content: threat.content,
    source_url: threat.sourceUrl ?? '',
    evidence: threat.evidence.map(({ type, url }) => ({ type, url: evidenceUrl(url) })),
    ai_analysis: {
      risk_level: threat.severity,
      summary: threat.analysis?.summary ?? '',
      impact: threat.analysis?.impact ?? '',
      recommendations: threat.analysis?.recommendations ?? [],
    },
  }
}
