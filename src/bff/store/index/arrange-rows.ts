import { setImmediate } from 'node:timers/promises'
import type { Order } from '#contract/bff/arrangement.ts'
import { bisect } from './bisect.ts'
import { type IndexRows, newestFirst } from './index-rows.ts'
import { NO_RANK, type RankColumn } from './rank-column.ts'
import type { KeysetCursor, Selection } from './select-rows.ts'

/** A column and the way in which it is walked; rows without a value come last in either. */
export type RankOrder = { column: RankColumn; order: Order }

/** Orders a list that is not newest first: by groups, then by the sort, then newest first. */
export type RowOrder = {
  group: RankOrder | null
  sort: RankOrder | null
  /** Groups that are left out, by their keys. */
  closed: readonly string[]
}

/** The last row of a page in some order: its place is found again though the row is gone, or others have come. */
export type ListCursor = KeysetCursor & {
  /** The key of its group, where there are groups. */
  group?: string | undefined
  /** The key that it is sorted by, where the list is sorted. */
  value?: string | undefined
}

export type ArrangedPage = {
  rows: number[]
  ids: string[]
  /** The group of each id; null if there are no groups. */
  groupKeys: string[] | null
  next: ListCursor | null
}

type ArrangedRequest = { order: RowOrder; after: ListCursor | null; limit: number }

/** The page of a selection that follows a cursor, in an order of its own: looks once at each row and sorts no more than the page. */
export function arrangedPage(
  rows: IndexRows,
  { matched }: Selection,
  { order, after, limit }: ArrangedRequest,
): ArrangedPage {
  const { group, sort } = order
  const found = takeFirst(rows, matched, { order, after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page,
    ids: page.map((row) => rows.ids[row] ?? ''),
    groupKeys: group && page.map((row) => keyOf(group, row)),
    next:
      last !== undefined && found.length > limit
        ? {
            at: new Date(rows.at[last] ?? 0).toISOString(),
            id: rows.ids[last] ?? '',
            ...(group && { group: keyOf(group, last) }),
            ...(sort && { value: keyOf(sort, last) }),
          }
        : null,
  }
}

/** The first rows after a cursor, in their order. `matched` is newest first: of two in one place the one met first is. */
function takeFirst(rows: IndexRows, matched: Int32Array, { order, after, limit }: ArrangedRequest): number[] {
  const { group, sort, closed } = order
  const closedRanks =
    group && closed.length > 0 ? new Set(closed.map((key) => group.column.rankOf(key))) : null
  // A group's places are as far apart as the sort has places.
  const step = sort ? sort.column.count + 1 : 1
  const cursor = after && findCursor(rows, order, after)
  const places = new Float64Array(limit)
  const taken = new Int32Array(limit)
  let count = 0
  for (const row of matched) {
    const groupRank = group?.column.ranks[row] ?? NO_RANK
    if (closedRanks?.has(groupRank)) continue
    const place =
      (group ? placeOf(group, groupRank) * step : 0) +
      (sort ? placeOf(sort, sort.column.ranks[row] ?? NO_RANK) : 0)
    if (cursor && (place === cursor.place ? row < cursor.firstRow : place < cursor.place)) continue
    if (count === limit && place >= (places[limit - 1] ?? 0)) continue
    const at = bisect(count, (index) => (places[index] ?? 0) > place)
    // Rows that move past the end are no longer among the first.
    places.copyWithin(at + 1, at, count)
    taken.copyWithin(at + 1, at, count)
    places[at] = place
    taken[at] = row
    if (count < limit) count++
  }
  return Array.from(taken.subarray(0, count))
}

/** The place that a cursor names, and the first row that comes after it there. */
function findCursor(rows: IndexRows, { group, sort }: RowOrder, after: ListCursor) {
  const step = sort ? sort.column.count + 1 : 1
  const groupPlace = group ? placeOf(group, group.column.rankOf(after.group ?? '')) : 0
  const sortPlace = sort ? placeOf(sort, sort.column.rankOf(after.value ?? '')) : 0
  const afterMs = Date.parse(after.at)
  const firstRow = bisect(
    rows.count,
    (row) => newestFirst(afterMs, after.id, rows.at[row] ?? 0, rows.ids[row] ?? '') < 0,
  )
  // Its group is gone: before the first place of the next one.
  if (!Number.isInteger(groupPlace)) return { place: Math.ceil(groupPlace) * step - 0.5, firstRow }
  return { place: groupPlace * step + sortPlace, firstRow }
}

export function placeOf({ column, order }: RankOrder, rank: number): number {
  if (rank === NO_RANK) return column.count
  return order === 'asc' ? rank : column.count - 1 - rank
}

function keyOf({ column }: RankOrder, row: number): string {
  return column.keyOf(column.ranks[row] ?? NO_RANK)
}

/** All rows of a selection in an order, with those of closed groups: two stable counting sorts, each some milliseconds for 100,000. */
export async function arrangeAll({ matched }: Selection, { group, sort }: RowOrder): Promise<Int32Array> {
  await setImmediate()
  const sorted = sort ? inOrder(matched, sort) : matched
  await setImmediate()
  return group ? inOrder(sorted, group) : sorted
}

function inOrder(rows: Int32Array, by: RankOrder): Int32Array {
  const { ranks, count } = by.column
  const places = rows.map((row) => placeOf(by, ranks[row] ?? NO_RANK))
  /** The next free position for each rank. */
  const nexts = new Int32Array(count + 2)
  for (const place of places) nexts[place + 1] = (nexts[place + 1] ?? 0) + 1
  for (let place = 0; place < count; place++) nexts[place + 1] = (nexts[place + 1] ?? 0) + (nexts[place] ?? 0)
  const ordered = new Int32Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const place = places[at] ?? 0
    const next = nexts[place] ?? 0
    ordered[next] = rows[at] ?? 0
    nexts[place] = next + 1
  }
  return ordered
}

export type RowGroup = { key: string; label: string | null; count: number; firstId: string }

/** The groups of a selection in their order, and how many more there are; `firstId` is the newest of a group. */
export function countGroups(
  { ids }: IndexRows,
  { matched }: Selection,
  { group, limit }: { group: RankOrder; limit: number },
): { groups: RowGroup[]; more: number } {
  const { column } = group
  const counts = new Int32Array(column.count + 1)
  const firsts = new Int32Array(column.count + 1)
  for (const row of matched) {
    const place = placeOf(group, column.ranks[row] ?? NO_RANK)
    if (counts[place] === 0) firsts[place] = row
    counts[place] = (counts[place] ?? 0) + 1
  }
  const groups: RowGroup[] = []
  let more = 0
  for (const [place, count] of counts.entries()) {
    if (count === 0) continue
    if (groups.length === limit) {
      more++
      continue
    }
    const first = firsts[place] ?? 0
    const rank = column.ranks[first] ?? NO_RANK
    groups.push({
      key: column.keyOf(rank),
      label: rank === NO_RANK ? '' : column.labelOf(rank),
      count,
      firstId: ids[first] ?? '',
    })
  }
  return { groups, more }
}

/** Before the first place: it stands between two, as the rank of what no row has any more. */
const BEFORE_ALL = -0.5

/** The groups of a selection, the largest first; of equal ones in their own order. Rows without a value stay last. */
export function largestFirst(group: RankOrder, { matched }: Selection): RankOrder {
  const { ranks, count, keyOf, rankOf, labelOf } = group.column
  const sizes = new Int32Array(count)
  for (const row of matched) {
    const rank = ranks[row] ?? NO_RANK
    if (rank !== NO_RANK) sizes[rank] = (sizes[rank] ?? 0) + 1
  }
  const sizeOf = (rank: number) => sizes[rank] ?? 0
  const bySize = Int32Array.from({ length: count }, (_, rank) => rank).sort(
    (a, b) => sizeOf(b) - sizeOf(a) || placeOf(group, a) - placeOf(group, b),
  )
  const places = new Int32Array(count)
  for (const [place, rank] of bySize.entries()) places[rank] = place
  const own = new Int32Array(ranks.length).fill(NO_RANK)
  for (const row of matched) {
    const rank = ranks[row] ?? NO_RANK
    if (rank !== NO_RANK) own[row] = places[rank] ?? NO_RANK
  }
  return {
    order: 'asc',
    column: {
      ranks: own,
      count,
      keyOf: (place) => keyOf(bySize[place] ?? NO_RANK),
      rankOf(key) {
        const rank = rankOf(key)
        if (rank === NO_RANK) return NO_RANK
        // The group of a cursor may have lost its last row. Nobody knows how large it was: the list begins anew.
        return sizeOf(rank) > 0 ? (places[rank] ?? BEFORE_ALL) : BEFORE_ALL
      },
      labelOf: (place) => labelOf(bySize[place] ?? NO_RANK),
    },
  }
}
