import type { ThreatRecord } from '#bff/upstream/reader/read-threat-record.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Analysis, ThreatDetail } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { type PictureHosts, placePicture } from './picture-address.ts'

/**
 * Joins one threat's records of the route sets. The preferred record comes first and wins if it reports a value. The
 * content, the evidence and the parts of the analysis are the earlier set's if it has them.
 */
export function joinRecords(
  [first, ...others]: readonly [ThreatRecord, ...ThreatRecord[]],
  pictureHosts: PictureHosts,
): ThreatDetail {
  const records = [first, ...others]
  const text = (
    member: 'title' | 'excerpt' | 'category' | 'severity' | 'publishedAt' | 'content' | 'sourceUrl',
  ) => records.map((record) => record[member]).find((value) => value !== null) ?? null
  const list = <Member extends 'actors' | 'countries' | 'industries' | 'organizations' | 'domains'>(
    member: Member,
  ): ThreatRecord[Member] => records.find((record) => record[member].length > 0)?.[member] ?? first[member]

  const publishedAt = text('publishedAt')
  const dateText = records.map((record) => record.dateText).find((written) => written !== undefined)
  const detail = {
    id: first.id,
    ...(first.fullId !== undefined && { fullId: first.fullId }),
    set: first.set,
    title: text('title'),
    excerpt: text('excerpt'),
    category: text('category'),
    severity: text('severity'),
    actors: list('actors'),
    countries: list('countries'),
    industries: list('industries'),
    organizations: list('organizations'),
    domains: list('domains'),
    publishedAt,
    ...(publishedAt === null && dateText !== undefined && { dateText }),
    content: text('content'),
    sourceUrl: text('sourceUrl'),
    analysis: joinAnalyses(records),
    evidence: toEvidence(
      records.find(({ evidence }) => evidence.length > 0),
      pictureHosts,
    ),
    otherFields: records.flatMap(({ set, otherFields }) =>
      otherFields.map(({ path, value }) => ({ path: others.length > 0 ? `${set}: ${path}` : path, value })),
    ),
    records: records.map(({ set, json }) => ({ set, json })),
  }
  const withheld = new Set(records.flatMap(({ redacted }) => redacted))
  return { ...detail, redacted: [...withheld].filter((member) => isEmpty(detail[member])) }
}

/** The earlier set's parts before v1's; the running text is v1's own. */
function joinAnalyses(records: readonly ThreatRecord[]): Analysis | null {
  const inOrder = (set: RouteSet) => records.toSorted((a, b) => Number(b.set === set) - Number(a.set === set))
  const analyses = inOrder('earlier').flatMap(({ analysis }) => analysis ?? [])
  const [best] = analyses
  if (!best) return null
  const part = (member: 'riskLevel' | 'summary' | 'impact' | 'text') =>
    analyses.map((analysis) => analysis[member]).find((value) => value !== null) ?? null
  const summary = part('summary')
  const text = part('text')
  return {
    riskLevel: part('riskLevel'),
    summary,
    impact: part('impact'),
    recommendations:
      analyses.find(({ recommendations }) => recommendations.length > 0)?.recommendations ?? [],
    text: text === summary ? null : text,
  }
}

function toEvidence(record: ThreatRecord | undefined, hosts: PictureHosts): ThreatDetail['evidence'] {
  return (record?.evidence ?? []).map(({ type, url }, index) => {
    const found = placePicture(url, hosts)
    return {
      type,
      url,
      picture:
        found.kind === 'fetched'
          ? `/bff/threats/${pathSegment(record?.id ?? '')}/evidence/${index}?set=${record?.set}`
          : null,
      ...(found.kind !== 'refused' && found.host !== null && { host: found.host }),
    }
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}
