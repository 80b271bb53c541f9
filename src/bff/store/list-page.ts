import {
  arrangeAll,
  arrangedPage,
  countGroups,
  type ListCursor,
  largestFirst,
  type RankOrder,
  type RowOrder,
} from '#bff/store/index/arrange-rows.ts'
import type { CaseColumn } from '#bff/store/index/case-column.ts'
import { caseOfRow, collapseRows } from '#bff/store/index/collapse-rows.ts'
import { type CaseDue, prepareDueColumn } from '#bff/store/index/due-column.ts'
import type { Dictionaries, IndexRows } from '#bff/store/index/index-rows.ts'
import {
  type RankColumn,
  rankDays,
  rankNumbers,
  rankTerms,
  rankTimes,
  rankVictims,
  victimKey,
} from '#bff/store/index/rank-column.ts'
import { pageOf, type Selection } from '#bff/store/index/select-rows.ts'
import { type Grouping, isNewestFirst, orderOf, type Sort, type TeamSort } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { GroupAnswer, GroupQuery, ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { ActivityById, TeamMarks } from './team-marks.ts'

const PAGE_LIMIT = 50
const GROUPS_MAX_COUNT = 500

/** Threats that a selection has, and where they are read. */
type SelectedThreats = {
  rows: IndexRows
  selection: Selection
  readRecords(ids: readonly string[]): Promise<Threat[]>
  team: TeamMarks
}

/** `cases` is null if the list has one row per claim, not per case. */
type ListedThreats = SelectedThreats & { cases: CaseColumn | null }

function withGroupOrder(
  order: RowOrder | null,
  groupOrder: ThreatListQuery['groupOrder'],
  selection: Selection,
): RowOrder | null {
  if (!order?.group || groupOrder !== 'size') return order
  return { ...order, group: largestFirst(order.group, selection) }
}

/**
 * Reads a page of a list with its threats, in the order of the query. Threats that were deleted meanwhile are left out.
 */
export async function readListPage(
  selected: ListedThreats,
  query: ThreatListQuery,
  after: ListCursor | null,
): Promise<{ page: { threats: Threat[]; groupKeys?: string[] }; next: ListCursor | null }> {
  const { rows, readRecords, team, cases } = selected
  const within = await readOrder(rows, query, team)
  const selection = cases ? collapseRows(selected.selection, cases, within) : selected.selection
  const order = withGroupOrder(within, query.groupOrder, selection)
  const request = { after, limit: PAGE_LIMIT }
  const found = order
    ? arrangedPage(rows, selection, { order, ...request })
    : { ...pageOf(rows, selection, request), groupKeys: null }
  const { ids, groupKeys, next } = found
  const atOf = new Map(ids.map((id, at) => [id, at]))
  const threats = (await readRecords(ids)).map((threat) => {
    const own = cases && caseOfRow(rows, cases, found.rows[atOf.get(threat.id) ?? 0] ?? 0)
    return own ? { ...threat, case: own } : threat
  })
  const keys = groupKeys && threats.map(({ id }) => groupKeys[atOf.get(id) ?? 0] ?? '')
  return { page: { threats, ...(keys && { groupKeys: keys }) }, next }
}

/** The threats of a selection in an order. Their number does not change while records are added or deleted. */
export type ThreatSnapshot = {
  count: number
  /**
   * Reads threats from a position on. Threats that were deleted since are left out. Throws if the store was emptied
   * since.
   */
  read(at: number, limit: number): Promise<Threat[]>
}

/** Takes a snapshot of a whole list, including the threats of closed groups. */
export async function takeSnapshot(
  selected: SelectedThreats,
  query: ThreatListQuery,
): Promise<ThreatSnapshot> {
  const { rows, selection, readRecords, team } = selected
  const order = withGroupOrder(await readOrder(rows, query, team), query.groupOrder, selection)
  const ordered = order ? await arrangeAll(selection, order) : selection.matched
  // The snapshot keeps only numbers and ids, so that other data of the rows can be freed.
  const { ids } = rows
  return {
    count: ordered.length,
    read: (at, limit) => readRecords(Array.from(ordered.subarray(at, at + limit), (row) => ids[row] ?? '')),
  }
}

/** Maps keys to victims' names. If a victim is spelt in several ways, any spelling is used. */
const victimsOf = new WeakMap<Dictionaries, Map<string, string>>()

/** Reads the groups of a list, in its order. */
export async function readGroups(
  { rows, readRecords, cases, ...selected }: ListedThreats,
  name: Grouping,
  { timeZone, groupOrder }: GroupQuery,
): Promise<{ groups: GroupAnswer['groups']; more: number }> {
  const byValue = await readGroupOrder(rows, name, timeZone)
  const within = { group: byValue, sort: null, closed: [] }
  const selection = cases ? collapseRows(selected.selection, cases, within) : selected.selection
  const group = groupOrder === 'size' ? largestFirst(byValue, selection) : byValue
  const { groups, more } = countGroups(rows, selection, { group, limit: GROUPS_MAX_COUNT })
  const victims = victimsOf.get(rows.dictionaries) ?? new Map<string, string>()
  victimsOf.set(rows.dictionaries, victims)
  const unnamed = groups.filter(({ key, label }) => label === null && !victims.has(key))
  for (const { organizations } of await readRecords(unnamed.map(({ firstId }) => firstId))) {
    for (const victim of organizations) victims.set(victimKey([victim]), victim)
  }
  const named = groups.map(({ key, label, count }) => ({
    key,
    label: label ?? victims.get(key) ?? key,
    count,
  }))
  return { groups: named, more }
}

/** The number of time zones for which day ranks are cached. */
const ZONES_MAX_COUNT = 8

// Ranks are computed for the first list that needs them, and cached as long as the rows are unchanged.
const columns = new WeakMap<IndexRows, Map<Sort | Grouping, Promise<RankColumn>>>()
const days = new WeakMap<IndexRows, Map<string, RankColumn>>()
const byActivity = new WeakMap<IndexRows, { activity: ActivityById; column: RankColumn }>()
const byDue = new WeakMap<IndexRows, { due: CaseDue; column: RankColumn }>()

/** Returns the order of a list; null for newest first. */
export async function readOrder(
  rows: IndexRows,
  query: ThreatListQuery,
  team: TeamMarks,
): Promise<RowOrder | null> {
  if (isNewestFirst(query)) return null
  const { sort = 'published', group, closed = [], timeZone } = query
  const order = orderOf(query)
  const isByTime = sort === 'published' && order === 'desc'
  // Within a group, all rows have the same value of the grouping.
  const isAsGiven = isByTime || sort === group
  const column = isAsGiven ? null : sortColumn(rows, sort, team)
  return {
    group: group ? await readGroupOrder(rows, group, timeZone) : null,
    sort: column && { column: await column, order },
    closed,
  }
}

/** Returns the default order of groups: the newest day, the highest severity, or names from A to Z first. */
export async function readGroupOrder(rows: IndexRows, group: Grouping, timeZone: string): Promise<RankOrder> {
  const column = group === 'day' ? dayColumn(rows, timeZone) : await keptColumn(rows, group)
  return { column, order: group === 'day' || group === 'severity' ? 'desc' : 'asc' }
}

function sortColumn(rows: IndexRows, sort: Sort, team: TeamMarks): Promise<RankColumn> {
  if (sort === 'activity') return activityColumn(rows, team)
  return sort === 'due' ? dueColumn(rows, team) : keptColumn(rows, sort)
}

/** Sort keys whose ranks change only with the rows. */
type RecordName = Exclude<Sort | Grouping, TeamSort | 'day'>

function keptColumn(rows: IndexRows, name: RecordName) {
  const own = columns.get(rows) ?? new Map<Sort | Grouping, Promise<RankColumn>>()
  columns.set(rows, own)
  const column = own.get(name) ?? makeColumn(rows, name)
  own.set(name, column)
  column.catch(() => own.delete(name))
  return column
}

async function activityColumn(rows: IndexRows, team: TeamMarks): Promise<RankColumn> {
  const now = await team.activity()
  const kept = byActivity.get(rows)
  if (kept?.activity === now) return kept.column
  const column = await rankNumbers(Float64Array.from(rows.ids, (id) => now.get(id) ?? Number.NaN))
  byActivity.set(rows, { activity: now, column })
  return column
}

async function dueColumn(rows: IndexRows, team: TeamMarks): Promise<RankColumn> {
  const due = await team.due()
  const kept = byDue.get(rows)
  if (kept?.due === due) return kept.column
  const column = await rankNumbers(await prepareDueColumn(rows, due))
  byDue.set(rows, { due, column })
  return column
}

function dayColumn(rows: IndexRows, timeZone: string): RankColumn {
  const own = days.get(rows) ?? new Map<string, RankColumn>()
  days.set(rows, own)
  const column = own.get(timeZone) ?? rankDays(rows, timeZone)
  if (own.size === ZONES_MAX_COUNT) own.clear()
  own.set(timeZone, column)
  return column
}

async function makeColumn(rows: IndexRows, name: RecordName) {
  if (name === 'victim') return rankVictims(rows)
  return name === 'published' ? rankTimes(rows) : rankTerms(rows, name)
}
