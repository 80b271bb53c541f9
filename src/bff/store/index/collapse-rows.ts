import { FACET_NAMES, type ListedCase } from '#contract/bff/threat-list.ts'
import { placeOf, type RankOrder, type RowOrder } from './arrange-rows.ts'
import { type CaseColumn, ONLY_CLAIM } from './case-column.ts'
import type { IndexRows } from './index-rows.ts'
import { NO_RANK } from './rank-column.ts'
import type { Selection } from './select-rows.ts'

const NO_ROW = -1

/**
 * Leaves one row of each case in a selection: the first one in an order, null being newest first. With groups, one in each
 * group.
 */
export function collapseRows(
  { matched, ...selection }: Selection,
  cases: CaseColumn,
  order: RowOrder | null,
): Selection {
  const isLeft = order?.group
    ? createGroupTest(matched, cases, order)
    : order?.sort
      ? createSortTest(matched, cases, order.sort)
      : createNewestTest(cases)
  const left = new Int32Array(matched.length)
  let count = 0
  for (const row of matched) if (isLeft(row)) left[count++] = row
  return { ...selection, matched: left.subarray(0, count) }
}

/** Returns true for a row that is left; rows are tested newest first, each once. */
type LeftTest = (row: number) => boolean

function createNewestTest({ numbers, ids }: CaseColumn): LeftTest {
  const isMet = new Uint8Array(ids.length)
  return (row) => {
    const number = numbers[row] ?? ONLY_CLAIM
    if (number === ONLY_CLAIM) return true
    if (isMet[number] === 1) return false
    isMet[number] = 1
    return true
  }
}

function createSortTest(matched: Int32Array, { numbers, ids }: CaseColumn, sort: RankOrder): LeftTest {
  const { ranks } = sort.column
  const firsts = new Int32Array(ids.length).fill(NO_ROW)
  const places = new Int32Array(ids.length)
  for (const row of matched) {
    const number = numbers[row] ?? ONLY_CLAIM
    if (number === ONLY_CLAIM) continue
    const place = placeOf(sort, ranks[row] ?? NO_RANK)
    if (firsts[number] !== NO_ROW && place >= (places[number] ?? 0)) continue
    firsts[number] = row
    places[number] = place
  }
  return (row) => {
    const number = numbers[row] ?? ONLY_CLAIM
    return number === ONLY_CLAIM || firsts[number] === row
  }
}

function createGroupTest(
  matched: Int32Array,
  { numbers, starts, rows, ids }: CaseColumn,
  { group, sort }: RowOrder,
): LeftTest {
  const placeIn = (row: number) => (sort ? placeOf(sort, sort.column.ranks[row] ?? NO_RANK) : 0)
  const isMatched = new Uint8Array(numbers.length)
  for (const row of matched) isMatched[row] = 1
  const isDropped = new Uint8Array(numbers.length)
  /** The first row of the case in each group, and the case that it is of. */
  const firsts = new Int32Array((group?.column.count ?? 0) + 1)
  const firstOf = new Int32Array(firsts.length).fill(ONLY_CLAIM)
  for (let number = 0; number < ids.length; number++) {
    const end = starts[number + 1] ?? 0
    for (let at = starts[number] ?? 0; at < end; at++) {
      const row = rows[at] ?? 0
      if (isMatched[row] === 0) continue
      const inGroup = (group?.column.ranks[row] ?? NO_RANK) + 1
      const first = firsts[inGroup] ?? 0
      const isOther = firstOf[inGroup] === number
      const isFirst = !isOther || placeIn(row) < placeIn(first)
      if (isOther) isDropped[isFirst ? first : row] = 1
      if (!isFirst) continue
      firstOf[inGroup] = number
      firsts[inGroup] = row
    }
  }
  return (row) => isDropped[row] === 0
}

/** The case of a row with all its claims; undefined for one that is the only claim. */
export function caseOfRow(index: IndexRows, cases: CaseColumn, row: number): ListedCase | undefined {
  const number = cases.numbers[row] ?? ONLY_CLAIM
  if (number === ONLY_CLAIM) return undefined
  const claims = cases.rows.subarray(cases.starts[number] ?? 0, cases.starts[number + 1] ?? 0)
  return {
    id: String(cases.ids[number]),
    claimCount: claims.length,
    actorCount: countActors(index, claims),
  }
}

const ACTOR_BIT = 1 << FACET_NAMES.indexOf('actor')

function countActors({ slots, terms, termStarts, dictionaries }: IndexRows, rows: Int32Array): number {
  const actors = new Set<number>()
  for (const row of rows) {
    const slot = slots[row] ?? 0
    const end = termStarts[slot + 1] ?? 0
    for (let at = termStarts[slot] ?? 0; at < end; at++) {
      const term = terms[at] ?? 0
      if (dictionaries.termBits[term] === ACTOR_BIT) actors.add(term)
    }
  }
  return actors.size
}
