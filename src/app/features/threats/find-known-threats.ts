import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatAnswer, ThreatList } from '#contract/bff/threat-list.ts'
import { threatListsKey } from './threat-options.ts'

/** The threats with these ids that any list of this visit has shown. Free. */
export function findKnownThreats(queryClient: QueryClient, ids: readonly string[]): Map<string, Threat> {
  const lists = queryClient.getQueriesData<InfiniteData<ThreatList>>({ queryKey: threatListsKey })
  const wanted = new Set(ids)
  const known = new Map<string, Threat>()
  for (const [, list] of lists) {
    for (const { threats } of list?.pages ?? []) {
      for (const threat of threats) if (wanted.has(threat.id)) known.set(threat.id, threat)
    }
  }
  return known
}

/** A threat as a list of this visit has it, where nothing more can be had; undefined where none has. */
export function findListedAnswer(queryClient: QueryClient, id: string): ThreatAnswer | undefined {
  const lists = queryClient.getQueriesData<InfiniteData<ThreatList>>({ queryKey: threatListsKey })
  for (const [, list] of lists) {
    for (const { threats, freshness } of list?.pages ?? []) {
      const threat = threats.find((listed) => listed.id === id)
      if (threat) return { threat: { ...threat, ...NO_DETAILS }, freshness }
    }
  }
  return undefined
}

const NO_DETAILS = {
  content: null,
  sourceUrl: null,
  analysis: null,
  evidence: [],
  otherFields: [],
  records: [],
}
