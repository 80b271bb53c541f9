import type { FeedBounds } from '#bff/time/time-range.ts'
import { acceptsTriage } from '#contract/bff/accepts-triage.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { explainQuery } from '#matcher/query/explain-query.ts'
import type { Selector } from './index/filter-rows.ts'
import type { ReadSearch, Searched } from './read-search.ts'
import type { MarksById, TeamMarks } from './team-marks.ts'

/** A filter with the zone that the days of its search are of. */
export type WindowFilter = ThreatFilter & Searched

/** A parsed filter, and how its search was understood. */
export type ReadableFilter = { selector: Selector; understoodAs: string | null; isOfTeam: boolean }

const NOT_MARKED: MarksById = new Map()

export function createReadFilter({ readSearch, team }: { readSearch: ReadSearch; team: TeamMarks }) {
  return async (filter: WindowFilter, bounds: FeedBounds): Promise<ReadableFilter> => {
    const search = await readSearch(filter, bounds)
    const { tree, context, today, isOfTeam } = search
    const { triage } = filter
    const marked = triage || isOfTeam ? await team.marks() : NOT_MARKED
    const marksOf = (id: string) => marked.get(id)
    return {
      selector: {
        filter,
        bounds: search.bounds,
        query: tree && { tree, context: { ...context, marksOf } },
        accepts: triage && ((id) => acceptsTriage(triage, marked.get(id))),
      },
      understoodAs: filter.q === undefined ? null : explainQuery(tree, today),
      isOfTeam: triage !== undefined || isOfTeam,
    }
  }
}
