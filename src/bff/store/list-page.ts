import {
  arrangeAll,
  arrangedPage,
  countGroups,
  type ListCursor,
  largestFirst,
  type RowOrder,
} from '#bff/store/index/arrange-rows.ts'
import type { Dictionaries, IndexRows } from '#bff/store/index/index-rows.ts'
import { victimKey } from '#bff/store/index/rank-column.ts'
import { pageOf, type Selection } from '#bff/store/index/select-rows.ts'
import type { Grouping } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { GroupAnswer, GroupQuery, ThreatList, ThreatListQuery } from '#contract/bff/threat-list.ts'
import { readGroupOrder, readOrder } from './read-order.ts'
import type { TeamMarks } from './team-marks.ts'

const PAGE_LIMIT = 50
const GROUPS_MAX_COUNT = 500

/** Threats that a selection has, and where they are read. */
export type SelectedThreats = {
  rows: IndexRows
  selection: Selection
  readRecords(ids: readonly string[]): Promise<Threat[]>
  team: TeamMarks
}

async function orderOf(
  { rows, selection, team }: SelectedThreats,
  query: ThreatListQuery,
): Promise<RowOrder | null> {
  const order = await readOrder(rows, query, team)
  if (!order?.group || query.groupOrder !== 'size') return order
  return { ...order, group: largestFirst(order.group, selection) }
}

/** A page of a list with its threats, as the query orders them. Those that are gone by now are left out. */
export async function readListPage(
  selected: SelectedThreats,
  query: ThreatListQuery,
  after: ListCursor | null,
): Promise<{ page: Pick<ThreatList, 'threats' | 'groupKeys'>; next: ListCursor | null }> {
  const { rows, selection, readRecords } = selected
  const order = await orderOf(selected, query)
  const request = { after, limit: PAGE_LIMIT }
  if (!order) {
    const { ids, next } = pageOf(rows, selection, request)
    return { page: { threats: await readRecords(ids) }, next }
  }
  const { ids, groupKeys, next } = arrangedPage(rows, selection, { order, ...request })
  const threats = await readRecords(ids)
  const keys = new Map(ids.map((id, at) => [id, groupKeys?.[at] ?? '']))
  return {
    page: { threats, ...(groupKeys && { groupKeys: threats.map(({ id }) => keys.get(id) ?? '') }) },
    next,
  }
}

/** The threats of a selection in an order, as many as there were when it was taken, whatever comes and changes since. */
export type ThreatSnapshot = {
  count: number
  /** Those from a place on, without those that are gone by now. Throws where the window was emptied since. */
  read(at: number, limit: number): Promise<Threat[]>
}

/** The whole of a list at once, with the threats of closed groups. */
export async function takeSnapshot(
  selected: SelectedThreats,
  query: ThreatListQuery,
): Promise<ThreatSnapshot> {
  const { rows, selection, readRecords } = selected
  const order = await orderOf(selected, query)
  const ordered = order ? await arrangeAll(selection, order) : selection.matched
  // Numbers and ids alone: the rest of the rows may go once there are others.
  const { ids } = rows
  return {
    count: ordered.length,
    read: (at, limit) => readRecords(Array.from(ordered.subarray(at, at + limit), (row) => ids[row] ?? '')),
  }
}

/** Maps keys to the victims' names. Where a victim is written in several ways, any of them is used. */
const victimsOf = new WeakMap<Dictionaries, Map<string, string>>()

/** The groups of a list in its order. */
export async function readGroups(
  { rows, selection, readRecords }: SelectedThreats,
  name: Grouping,
  { timeZone, groupOrder }: GroupQuery,
): Promise<{ groups: GroupAnswer['groups']; more: number }> {
  const byValue = await readGroupOrder(rows, name, timeZone)
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
