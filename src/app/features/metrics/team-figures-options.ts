import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { teamFiguresSchema } from '#contract/bff/team-figures.ts'

/** Reads what the team did in a period of a zone. */
export function teamFiguresOptions(period: string, timeZone: string) {
  return queryOptions({
    queryKey: ['team-figures', period, timeZone],
    queryFn: ({ signal }) =>
      getJson('team-figures', teamFiguresSchema, { query: { period, timeZone }, signal }),
    placeholderData: keepPreviousData,
  })
}
