import type { FeedBounds } from '#bff/time/time-range.ts'
import { acceptsTriage } from '#contract/bff/accepts-triage.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { explainQuery } from '#matcher/query/explain-query.ts'
import { withReader } from '#matcher/query/query-tests.ts'
import type { Selector } from './index/filter-rows.ts'
import type { IndexRows } from './index/index-rows.ts'
import { RowSet } from './index/row-set.ts'
import { matchRows } from './index/select-rows.ts'
import { findListById, findListed } from './lists/list-pairs.ts'
import type { ReadProfile, ReadSearch, Search, Searched, SearchScope } from './read-search.ts'
import type { MarksById, TeamMarks } from './team-marks.ts'

/** A filter with the zone that the days of its search are of. */
export type StoreFilter = ThreatFilter & Searched

/** A parsed filter, and how its search was understood. */
export type ReadableFilter = { selector: Selector; understoodAs: string | null; scope: SearchScope }

const NOT_MARKED: MarksById = new Map()

export async function readFilter(
  { readSearch, team }: { readSearch: ReadSearch; team: TeamMarks },
  filter: StoreFilter,
  bounds: FeedBounds,
): Promise<ReadableFilter> {
  const search = await readSearch(filter, bounds)
  const scope = scopeOf(filter, search)
  return {
    selector: toSelector({ filter, search }, scope === 'records' ? NOT_MARKED : await team.marks()),
    understoodAs: filter.q === undefined ? null : explain(search),
    scope,
  }
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
  marked: MarksById,
  rowsOf = createRowsOf(marked),
): Selector {
  const { tree, momentsOf, profiles, lists, bounds } = search
  const { triage } = filter
  const marksOf = (id: string) => {
    const marks = marked.get(id)
    return marks && withReader(marks, search.readerId)
  }
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
        marksOf: (id) => marked.get(id),
        readerId: search.readerId,
        rowsOfProfile,
        ...(lists && { idsOfLists: (test) => findListed(lists, test) }),
      },
    },
    accepts: triage && ((id) => acceptsTriage(triage, marksOf(id))),
  }
}

/** The rows that each profile matches, found once however many searches name it. */
function createRowsOf(marked: MarksById) {
  const known = new Map<ReadProfile, { index: IndexRows; rows: RowSet }>()
  return function rowsOf(index: IndexRows, profile: ReadProfile): RowSet {
    const last = known.get(profile)
    if (last?.index === index) return last.rows
    const rows = RowSet.of(index.count, matchRows(index, toSelector(profile, marked, rowsOf)))
    known.set(profile, { index, rows })
    return rows
  }
}
