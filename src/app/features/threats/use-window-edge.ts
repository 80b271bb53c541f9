import { useQuery } from '@tanstack/react-query'
import { sourceOptions } from '#app/features/source/source-options.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Where the stored threats begin, ISO 8601 UTC; null of a list that begins later, as a filter or a search says, or is not stored. */
export function useWindowEdge({ answeredBy, freshness }: ThreatList): string | null {
  const { data: source } = useQuery(sourceOptions())
  const from = freshness.coverage?.from
  const edge = source?.window.from
  if (answeredBy !== 'window' || !from || !edge) return null
  // The two were read at different times, and what is stored ages.
  return from.slice(0, DAY_LENGTH) > edge.slice(0, DAY_LENGTH) ? null : from
}
