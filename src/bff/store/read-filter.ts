import type { FeedBounds } from '#bff/time/time-range.ts'
import { acceptsTriage } from '#contract/bff/accepts-triage.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { explainQuery } from '#matcher/query/explain-query.ts'
import { type TeamMarked, withReader } from '#matcher/query/query-tests.ts'
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
export type ReadableFilter = {
  selector: Selector
  understoodAs: string | null
  scope: SearchScope
  /** The answer depends on when cases are due, and on the time now. */
  isOfDue: boolean
}

/** Returns the team's marks of a threat now. */
type MarksOf = (id: string) => TeamMarked | undefined

const UNTOUCHED: TeamMarked = {
  isRead: false,
  isStarred: false,
  isClosed: false,
  isOverdue: false,
  hasComment: false,
  ownerId: null,
  ownerText: '',
  isOwnerActive: true,
}

export async function readFilter(
  { readSearch, team }: { readSearch: ReadSearch; team: TeamMarks },
  filter: StoreFilter,
  bounds: FeedBounds,
): Promise<ReadableFilter> {
  const search = await readSearch(filter, bounds)
  const scope = scopeOf(filter, search)
  const isOfDue = isDueNeeded(filter, search)
  return {
    selector: toSelector(
      { filter, search },
      scope === 'records' ? () => undefined : await readMarksOf(team, isOfDue ? search.nowMs : null),
    ),
    understoodAs: filter.q === undefined ? null : explain(search),
    scope,
    isOfDue,
  }
}

/** Returns true if a filter needs to know which cases are overdue. */
export function isDueNeeded({ triage }: ThreatFilter, { isOfDue }: Search): boolean {
  return triage === 'overdue' || isOfDue
}

/** `nowMs`: the time at which cases are overdue; null where nobody needs to know. */
async function readMarksOf(team: TeamMarks, nowMs: number | null): Promise<MarksOf> {
  const marked: MarksById = await team.marks()
  if (nowMs === null) return (id) => marked.get(id)
  const dueAt = await team.due()
  return (id) => {
    const marks = marked.get(id)
    const at = dueAt(id)
    return at !== null && at <= nowMs ? { ...(marks ?? UNTOUCHED), isOverdue: true } : marks
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
  marksOf: MarksOf,
  rowsOf = createRowsOf(marksOf),
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
        marksOf,
        readerId: search.readerId,
        rowsOfProfile,
        ...(lists && { idsOfLists: (test) => findListed(lists, test) }),
      },
    },
    accepts:
      triage &&
      ((id) => {
        const marks = marksOf(id)
        return acceptsTriage(triage, marks && withReader(marks, search.readerId))
      }),
  }
}

/** The rows that each profile matches, found once however many searches name it. */
function createRowsOf(marksOf: MarksOf) {
  const known = new Map<ReadProfile, { index: IndexRows; rows: RowSet }>()
  return function rowsOf(index: IndexRows, profile: ReadProfile): RowSet {
    const last = known.get(profile)
    if (last?.index === index) return last.rows
    const rows = RowSet.of(index.count, matchRows(index, toSelector(profile, marksOf, rowsOf)))
    known.set(profile, { index, rows })
    return rows
  }
}
