import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import type { Grouping } from '#contract/bff/arrangement.ts'
import { groupAnswerSchema } from '#contract/bff/threat-list.ts'
import type { ThreatListScope } from '../address/threat-search.ts'

/** The groups of a list, of data that were fetched at `fetchedAt`: requested again with the list. */
export function threatGroupsOptions(name: Grouping, scope: ThreatListScope, fetchedAt: string | undefined) {
  // Groups are the same in any order of their threats, and whichever are closed.
  const { sort: _sort, order: _order, group: _group, closed: _closed, ...query } = scope
  return queryOptions({
    queryKey: ['groups', name, query, fetchedAt],
    queryFn: ({ signal }) => getJson(`groups/${name}`, groupAnswerSchema, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 'static',
  })
}
