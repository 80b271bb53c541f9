import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { QueryNoun } from '#contract/bff/endpoints.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RelatedThreats, ThreatAnswer, ThreatList } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { relatedThreatsKey, threatHeadsKey, threatListsKey } from './threat-options.ts'

type ListedThreats = { threats: readonly Threat[]; freshness: Freshness }
/** A part of the overview's answer. Its options are not imported: they would bring all that the page knows along. */
type Overview = { newestCritical: readonly Threat[]; freshness: Freshness }
const overviewKey: readonly [QueryNoun] = ['overview']

/** The threats with these ids that any list of this visit has shown. Free. */
export function findKnownThreats(queryClient: QueryClient, ids: readonly string[]): Map<string, Threat> {
  const wanted = new Set(ids)
  const known = new Map<string, Threat>()
  for (const { threats } of cachedLists(queryClient)) {
    for (const threat of threats) if (wanted.has(threat.id)) known.set(threat.id, threat)
  }
  return known
}

/** Returns a threat as its row shows it, without details; undefined if no list of this visit has it. */
export function findListedAnswer(
  queryClient: QueryClient,
  id: string,
  set: RouteSet | undefined,
): ThreatAnswer | undefined {
  for (const { threats, freshness } of cachedLists(queryClient)) {
    const threat = threats.find((listed) => listed.id === id && (set ?? listed.set) === listed.set)
    if (threat) return { threat: { ...threat, ...NO_DETAILS }, freshness, missing: READING }
  }
  return undefined
}

/** Every list that this visit has cached: of the feed, the overview, and the pages of actors, countries and threats. */
function cachedLists(queryClient: QueryClient): ListedThreats[] {
  const feeds = queryClient.getQueriesData<InfiniteData<ThreatList>>({ queryKey: threatListsKey })
  const heads = queryClient.getQueriesData<ThreatList>({ queryKey: threatHeadsKey })
  const overviews = queryClient.getQueriesData<Overview>({ queryKey: overviewKey })
  const related = queryClient.getQueriesData<RelatedThreats>({ queryKey: relatedThreatsKey })
  return [
    ...feeds.flatMap(([, list]) => list?.pages ?? []),
    ...heads.flatMap(([, list]) => list ?? []),
    ...overviews.flatMap(([, overview]) =>
      overview ? { threats: overview.newestCritical, freshness: overview.freshness } : [],
    ),
    ...related.flatMap(
      ([, answer]) => answer?.groups.map(({ threats }) => ({ threats, freshness: answer.freshness })) ?? [],
    ),
  ]
}

const READING = { state: 'reading', because: 'the vendor is being queried' } as const
const NO_DETAILS = {
  content: null,
  sourceUrl: null,
  analysis: null,
  evidence: [],
  otherFields: [],
  records: [],
}
