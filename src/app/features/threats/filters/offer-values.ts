import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { type FacetName, facetAnswerSchema, VALUES_MAX_COUNT } from '#contract/bff/threat-list.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import type { ThreatListScope } from '../address/threat-search.ts'

/** A value that can be ticked; its count is unknown where nobody counted. */
export type Offer = { value: string; label: string; count?: number | undefined; isChosen: boolean }

type OfferRequest = {
  /** Values that are offered whatever occurs. */
  known: readonly string[]
  /** How often which value occurs, most frequent first; undefined where nobody counted. */
  counted: readonly { value: string; count: number }[] | undefined
  /** True if the counted values are all. Any other value does not occur. */
  isAll: boolean
  chosen: readonly string[]
  /** Those that stand first: a list must not move while values are ticked. */
  first: readonly string[]
  text: string
  /** The value that the text is another name of. */
  named?: string | null
  labelOf(value: string): string
}

/** Returns the values that fit a text: first those chosen before, then by frequency, and last those that do not occur. */
export function offerValues(request: OfferRequest): Offer[] {
  const { known, counted, isAll, chosen, first, text, named = null, labelOf } = request
  const counts = new Map(counted?.map(({ value, count }) => [foldValue(value), count]))
  const chosenFolds = new Set(chosen.map(foldValue))
  const firstFolds = new Set(first.map(foldValue))
  const wanted = foldValue(text)
  const values = new Map<string, string>()
  for (const value of [...(counted ?? []).map(({ value }) => value), ...known, ...first, ...chosen]) {
    const fold = foldValue(value)
    if (!values.has(fold)) values.set(fold, value)
  }

  return [...values]
    .map(([fold, value]) => ({
      rank: firstFolds.has(fold) ? Number.POSITIVE_INFINITY : (counts.get(fold) ?? 0),
      value,
      label: labelOf(value),
      count: counts.get(fold) ?? (isAll ? 0 : undefined),
      isChosen: chosenFolds.has(fold),
    }))
    .filter(
      ({ value, label }) =>
        foldValue(label).includes(wanted) || foldValue(value) === wanted || value === named,
    )
    .sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
    .map(({ rank: _rank, ...offer }) => offer)
}

/** The chosen values with one more, or without it: spelled otherwise, it is the same. */
export function toggleValue(chosen: readonly string[], value: string): string[] {
  const fold = foldValue(value)
  const others = chosen.filter((other) => foldValue(other) !== fold)
  if (others.length < chosen.length) return others
  return [...chosen, value].slice(0, VALUES_MAX_COUNT)
}

export function foldValue(value: string): string {
  return normaliseText(value).trim() || value
}

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
