import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { type FacetName, facetAnswerSchema } from '#contract/bff/threat-list.ts'
import type { ThreatListScope } from '../address/threat-search.ts'

const DEBOUNCE_MS = 150

function facetOptions(name: FacetName, { [name]: _own, ...others }: ThreatListScope, text: string) {
  return queryOptions({
    queryKey: ['facets', name, others, text],
    queryFn: ({ signal }) =>
      getJson(`facets/${name}`, facetAnswerSchema, { query: { ...others, text: text || undefined }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** The counts of what a text narrows: all of them are requested once, and narrowed here, unless there are too many. */
export function useCounted(name: FacetName, scope: ThreatListScope | null, text: string) {
  const isCounted = scope !== null
  const options = facetOptions(name, scope ?? { timeZone: 'UTC' }, '')
  const all = useQuery({ ...options, enabled: isCounted })
  const rested = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const isLong = (all.data?.more ?? 0) > 0 && text.trim() !== ''
  const part = useQuery({ ...facetOptions(name, scope ?? { timeZone: 'UTC' }, rested), enabled: isLong })
  const answer = isLong ? part.data : all.data
  const isCurrent = isLong ? rested === text.trim() && !part.isPlaceholderData : !all.isPlaceholderData
  const failed = isLong ? part.isError : all.isError
  const counted = answer?.values ?? undefined
  return {
    counted,
    more: answer?.more ?? 0,
    isAll: counted !== undefined && answer?.more === 0,
    isExact: answer?.isExact ?? false,
    isSettled: !isCounted || failed || (answer !== undefined && isCurrent),
  }
}
