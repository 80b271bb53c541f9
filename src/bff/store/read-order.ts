import type { RankOrder, RowOrder } from '#bff/store/index/arrange-rows.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import {
  type RankColumn,
  rankDays,
  rankNumbers,
  rankTerms,
  rankTimes,
  rankVictims,
} from '#bff/store/index/rank-column.ts'
import { type Grouping, isNewestFirst, orderOf, type Sort } from '#contract/bff/arrangement.ts'
import type { ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { ActivityById, TeamMarks } from './team-marks.ts'

/** Days are cached for so many time zones. */
const ZONES_MAX_COUNT = 8

// Ranks are made for the first list that asks for them, and kept as long as the rows are the same.
const columns = new WeakMap<IndexRows, Map<Sort | Grouping, Promise<RankColumn>>>()
const days = new WeakMap<IndexRows, Map<string, RankColumn>>()
const byActivity = new WeakMap<IndexRows, { activity: ActivityById; column: RankColumn }>()

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
  // Inside a group all have the name that it is of.
  const isAsGiven = isByTime || sort === group
  const column = isAsGiven ? null : sort === 'activity' ? activityColumn(rows, team) : keptColumn(rows, sort)
  return {
    group: group ? await readGroupOrder(rows, group, timeZone) : null,
    sort: column && { column: await column, order },
    closed,
  }
}

/** The order of groups: the newest day and the gravest severity first, names from A. */
export async function readGroupOrder(rows: IndexRows, group: Grouping, timeZone: string): Promise<RankOrder> {
  const column = group === 'day' ? dayColumn(rows, timeZone) : await keptColumn(rows, group)
  return { column, order: group === 'day' || group === 'severity' ? 'desc' : 'asc' }
}

function keptColumn(rows: IndexRows, name: Exclude<Sort | Grouping, 'activity' | 'day'>) {
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
  const column = await rankNumbers(rows, now)
  byActivity.set(rows, { activity: now, column })
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

async function makeColumn(rows: IndexRows, name: Exclude<Sort | Grouping, 'activity' | 'day'>) {
  if (name === 'victim') return rankVictims(rows)
  return name === 'published' ? rankTimes(rows) : rankTerms(rows, name)
}
