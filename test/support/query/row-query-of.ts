import type { RowQuery } from '#bff/store/index/filter-rows.ts'
import { momentsOfDays } from '#bff/time/start-of-day.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'

/** A search as the index takes it, where nobody has triaged anything and no profile is known. */
export function rowQueryOf(q: string | undefined): RowQuery | null {
  const { tree } = parseQuery(q ?? '')
  return (
    tree && {
      tree,
      context: { momentsOf: (days) => momentsOfDays(days, 'UTC', Date.now()), marksOf: () => undefined },
    }
  )
}
