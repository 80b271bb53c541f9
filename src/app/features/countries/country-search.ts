import type { PeriodSearch } from '#app/features/periods/period-search.ts'

export const COUNTRY_SORTS = ['threats', 'change', 'actors', 'victims', 'latest', 'name'] as const
export type CountrySort = (typeof COUNTRY_SORTS)[number]

/** The list's URL. What is absent is as usual: the most cases first. */
export type CountrySearch = PeriodSearch & {
  sort?: CountrySort
  order?: 'reverse'
}

/** By hand and not by a schema: it is in every page's first script. */
export function readCountrySearch({
  sort,
  order,
}: Record<string, unknown>): Omit<CountrySearch, keyof PeriodSearch> {
  return {
    sort: COUNTRY_SORTS.find((one) => one === sort),
    order: order === 'reverse' ? order : undefined,
  }
}
