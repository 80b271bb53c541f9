import type { TeamMarked } from '#matcher/query/query-tests.ts'
import { type CaseDue, dueColumnOf, prepareDueColumn } from './due-column.ts'
import type { IndexRows } from './index-rows.ts'
import { type MarksOf, markColumnOf, prepareMarkColumn } from './mark-column.ts'
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

/** The rows whose marks pass a test, which is made once for each state. */
export function findMarked(
  index: IndexRows,
  { marksOf, overdue }: TeamView,
  accepts: (marked: TeamMarked | undefined) => boolean,
): RowSet {
  const { states, numbers } = markColumnOf(index, marksOf)
  const isAccepted = states.map((state) => accepts(state))
  const found = new RowSet(index.count)
  if (!overdue) {
    for (let row = 0; row < index.count; row++) if (isAccepted[numbers[row] ?? 0]) found.add(row)
    return found
  }
  const isAcceptedLate = states.map((state) => accepts({ ...(state ?? UNTOUCHED), isOverdue: true }))
  const dueAt = dueColumnOf(index, overdue.due)
  for (let row = 0; row < index.count; row++) {
    const isLate = (dueAt[row] ?? Number.NaN) <= overdue.nowMs
    if ((isLate ? isAcceptedLate : isAccepted)[numbers[row] ?? 0]) found.add(row)
  }
  return found
}
