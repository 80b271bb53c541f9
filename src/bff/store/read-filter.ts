import type { FeedBounds } from '#bff/time/time-range.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { acceptsTriage } from '#contract/bff/triage-filter.ts'
import { explainQuery } from '#matcher/query/explain-query.ts'
import { withReader } from '#matcher/query/query-tests.ts'
import type { Selector } from './index/filter-rows.ts'
import { createMarkTest, type TeamView } from './index/find-marked.ts'
import type { IndexRows } from './index/index-rows.ts'
import { RowSet } from './index/row-set.ts'
import { matchRows } from './index/select-rows.ts'
import { findListById, findListed } from './lists/list-pairs.ts'
import {
  type ReadProfile,
  readSearch,
  type Search,
  type SearchContext,
  type Searched,
  type SearchScope,
} from './read-search.ts'
import type { TeamMarks } from './team-marks.ts'

/** A filter, and the time zone that defines the days in its search. */
export type StoreFilter = ThreatFilter & Searched

/** A parsed filter, with the meaning of its search. */
export type ReadableFilter = {
  selector: Selector
  understoodAs: string | null
  scope: SearchScope
  /** The team marks that the filter tests. Null if it tests none. */
  team: TeamView | null
  /** The answer depends on due times and on the present time. */
  isOfDue: boolean
}

const NO_TEAM: TeamView = { marksOf: () => undefined }

export async function readFilter(
  { searchContext, team }: { searchContext: SearchContext; team: TeamMarks },
  filter: StoreFilter,
  bounds: FeedBounds,
): Promise<ReadableFilter> {
  const search = await readSearch(searchContext, filter, bounds)
  const scope = scopeOf(filter, search)
  const isOfDue = isDueNeeded(filter, search)
  const view = scope === 'records' ? null : await readTeam(team, isOfDue ? search.nowMs : null)
  return {
    selector: toSelector({ filter, search }, view ?? NO_TEAM),
    team: view,
    understoodAs: filter.q === undefined ? null : explain(search),
    scope,
    isOfDue,
  }
}

/** Returns true if a filter needs to know which cases are overdue. */
export function isDueNeeded({ triage }: ThreatFilter, { isOfDue }: Search): boolean {
  return triage === 'overdue' || isOfDue
}

/** `nowMs` is the time for overdue cases. Null if the filter does not need it. */
async function readTeam(team: TeamMarks, nowMs: number | null): Promise<TeamView> {
  const marksOf = await team.marks()
  return nowMs === null ? { marksOf } : { marksOf, overdue: { due: await team.due(), nowMs } }
}

function scopeOf({ triage }: StoreFilter, search: Search): SearchScope {
  if (triage === 'mine') return 'author'
  return triage && search.scope === 'records' ? 'team' : search.scope
}

function explain({ tree, today, lists }: Search): string {
  return explainQuery(tree, { today, listById: (text) => (lists && findListById(lists, text)?.name) ?? null })
}

function toSelector(
  { filter, search }: { filter: StoreFilter; search: Search },
  team: TeamView,
  rowsOf = createRowsOf(team),
): Selector {
  const { tree, momentsOf, profiles, lists, bounds } = search
  const { triage } = filter
  const rowsOfProfile = (index: IndexRows, name: string) =>
    (profiles.get(name) ?? []).reduce(
      (found, profile) => found.unite(rowsOf(index, profile)),
      new RowSet(index.count),
    )
  return {
    filter,
    bounds,
    query: tree && {
      tree,
      context: {
        momentsOf,
        ...team,
        readerId: search.readerId,
        rowsOfProfile,
        ...(lists && { idsOfLists: (test) => findListed(lists, test) }),
      },
    },
    accepts:
      triage &&
      ((index) =>
        createMarkTest(index, team, (marks) =>
          acceptsTriage(triage, marks && withReader(marks, search.readerId)),
        )),
  }
}

/** Finds the rows that each profile matches, once for any number of searches that name it. */
function createRowsOf(team: TeamView) {
  const known = new Map<ReadProfile, { index: IndexRows; rows: RowSet }>()
  return function rowsOf(index: IndexRows, profile: ReadProfile): RowSet {
    const last = known.get(profile)
    if (last?.index === index) return last.rows
    const rows = RowSet.of(index.count, matchRows(index, toSelector(profile, team, rowsOf)))
    known.set(profile, { index, rows })
    return rows
  }
}
