import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { type TrendQuery, trendAnswerSchema } from '#contract/bff/trend.ts'

/** The prefix of every trends key: invalidate this to refetch them all. */
export const trendsKey = ['trends'] as const

/** Which threats a trend counts: a filter, a period, and the name by whose values the counts are split. */
export type TrendScope = Omit<TrendQuery, 'timeZone'>

/** A period of a zone, and the one before; from the store, free. */
export function trendOptions(scope: TrendScope, timeZone: string) {
  return queryOptions({
    queryKey: [...trendsKey, scope, timeZone],
    queryFn: ({ signal }) => getJson('trends', trendAnswerSchema, { query: { ...scope, timeZone }, signal }),
    // While another period is on its way, the chart keeps its place.
    placeholderData: keepPreviousData,
  })
}
