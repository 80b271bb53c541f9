import type { RowQuery } from '#bff/store/index/filter-rows.ts'
import { createDayBounds } from '#bff/time/start-of-day.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'

/** A search as the index takes it, where nobody has triaged anything and no profile is known. */
export function rowQueryOf(q: string | undefined): RowQuery | null {
  const { tree } = parseQuery(q ?? '')
  const { momentsOf } = createDayBounds('UTC', Date.now())
  return tree && { tree, context: { momentsOf, marksOf: () => undefined } }
}
