import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { filterOfPeriod, type Period } from '#contract/bff/period.ts'
import { facetAnswerSchema } from '#contract/bff/threat-list.ts'

/** The search of the feed for what lists of names match. */
export const CONCERNS_QUERY = 'list:*'

export type CountedSubjects = {
  name: 'actor' | 'country'
  period: Period
  timeZone: string
  /** A part of the names; without it, the 100 most frequent are counted. */
  text?: string | undefined
}

/** Counts the threats of a period that the reader's lists match, by actor or country, as the feed finds them. */
export function concernCountsOptions({ name, period, timeZone, text }: CountedSubjects) {
  const query = { ...filterOfPeriod(period), q: CONCERNS_QUERY, timeZone, text }
  return queryOptions({
    // A live event of lists makes it old: also that new threats were matched.
    queryKey: ['lists', 'concerns', name, query],
    queryFn: ({ signal }) => getJson(`facets/${name}`, facetAnswerSchema, { query, signal }),
  })
}
