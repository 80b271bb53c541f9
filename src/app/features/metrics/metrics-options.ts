import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { metricsAnswerSchema } from '#contract/bff/metrics.ts'
import { teamFiguresSchema } from '#contract/bff/team-figures.ts'

/** As long as the server itself gives them again: asking sooner brings nothing new. */
const FRESH_MS = 5 * 60_000

/** Costs a call where it was not read in the last minutes. */
export function metricsOptions() {
  return queryOptions({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => getJson('metrics', metricsAnswerSchema, { signal }),
    staleTime: FRESH_MS,
    retryOnMount: false,
  })
}

/** Spends a call for what is newer. */
export function refreshMetrics() {
  return getJson('metrics', metricsAnswerSchema, { refresh: true })
}

/** Reads what the team did in a period of a zone. */
export function teamFiguresOptions(period: string, timeZone: string) {
  return queryOptions({
    queryKey: ['team-figures', period, timeZone],
    queryFn: ({ signal }) =>
      getJson('team-figures', teamFiguresSchema, { query: { period, timeZone }, signal }),
    placeholderData: keepPreviousData,
  })
}
