import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { type TrendQuery, trendAnswerSchema } from '#contract/bff/trend.ts'

/** The prefix of every trends key: invalidate this to refetch them all. */
export const trendsKey = ['trends'] as const

/** Which threats a trend counts: a filter, and the name by whose values the counts are split. */
export type TrendScope = Omit<TrendQuery, 'timeZone' | 'period'>

/** The last 30 days of a zone, and the 30 before; from the window, free. */
export function trendOptions(scope: TrendScope, timeZone: string) {
  return queryOptions({
    queryKey: [...trendsKey, scope, timeZone],
    queryFn: ({ signal }) => getJson('trends', trendAnswerSchema, { query: { ...scope, timeZone }, signal }),
  })
}
