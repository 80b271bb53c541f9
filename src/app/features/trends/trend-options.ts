import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { type TrendQuery, trendAnswerSchema } from '#contract/bff/trend.ts'

/** The prefix of every trends key: invalidate this to refetch them all. */
export const trendsKey = ['trends'] as const

/** Which threats a trend counts: a filter, and the name by whose values the counts are split. */
export type TrendQuestion = Omit<TrendQuery, 'timeZone'>

/** The last 30 days of a zone, and the 30 before; from the window, at no call. */
export function trendOptions(question: TrendQuestion, timeZone: string) {
  return queryOptions({
    queryKey: [...trendsKey, question, timeZone],
    queryFn: ({ signal }) =>
      getJson('trends', trendAnswerSchema, { query: { ...question, timeZone }, signal }),
  })
}
