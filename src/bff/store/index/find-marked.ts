import type { TeamMarked } from '#matcher/query/query-tests.ts'
import { type CaseDue, dueColumnOf, prepareDueColumn } from './due-column.ts'
import type { IndexRows } from './index-rows.ts'
import { findMarkColumn, type MarksOf, markColumnOf, prepareMarkColumn } from './mark-column.ts'
import { RowSet } from './row-set.ts'

/** The team's marks now. `overdue` is given where a filter depends on the time. */
export type TeamView = { marksOf: MarksOf; overdue?: { due: CaseDue; nowMs: number } | undefined }

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

/** Makes the columns that a filter needs, a slice at a time, so that the filter keeps nobody waiting. */
export async function prepareMarks(index: IndexRows, { marksOf, overdue }: TeamView): Promise<void> {
  await prepareMarkColumn(index, marksOf)
  if (overdue) await prepareDueColumn(index, overdue.due)
}

type MarkTest = (marked: TeamMarked | undefined) => boolean

/**
 * Tests rows by their marks: each state once. Where no column is made, as for a page that needs few rows, it looks up the
 * marks of each tested row.
 */
export function createMarkTest(
  index: IndexRows,
  { marksOf, overdue }: TeamView,
  accepts: MarkTest,
): (row: number) => boolean {
  const column = overdue ? markColumnOf(index, marksOf) : findMarkColumn(index, marksOf)
  if (!column) return (row) => accepts(marksOf(index.ids[row] ?? ''))
  const { states, numbers } = column
  const isAccepted = states.map((state) => accepts(state))
  if (!overdue) return (row) => isAccepted[numbers[row] ?? 0] ?? false
  const isAcceptedLate = states.map((state) => accepts({ ...(state ?? UNTOUCHED), isOverdue: true }))
  const dueAt = dueColumnOf(index, overdue.due)
  return (row) => {
    const isLate = (dueAt[row] ?? Number.NaN) <= overdue.nowMs
    return (isLate ? isAcceptedLate : isAccepted)[numbers[row] ?? 0] ?? false
  }
}

/** The rows whose marks pass a test. */
export function findMarked(index: IndexRows, view: TeamView, accepts: MarkTest): RowSet {
  const testRow = createMarkTest(index, view, accepts)
  const found = new RowSet(index.count)
  for (let row = 0; row < index.count; row++) if (testRow(row)) found.add(row)
  return found
}
