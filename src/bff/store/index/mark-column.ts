import type { TeamMarked } from '#matcher/query/query-tests.ts'
import type { IndexRows } from './index-rows.ts'
import { atOnce, inSlices, type Slices, shareMaking } from './slices.ts'

/** The team's marks of a threat, by its id. The function is replaced at each change. */
export type MarksOf = (id: string) => TeamMarked | undefined

/** The marks of each row, as the number of one of few states. Untouched rows have number 0. */
export type MarkColumn = { states: readonly (TeamMarked | undefined)[]; numbers: Int32Array }

/** Number of rows that are looked up before the event loop has its turn. */
const SLICE_COUNT = 20_000

const made = new WeakMap<MarksOf, WeakMap<IndexRows, MarkColumn>>()
/** After an action, all open pages ask at once. */
const making = new WeakMap<MarksOf, WeakMap<IndexRows, Promise<MarkColumn>>>()

/** Undefined where nobody has made it yet. */
export function findMarkColumn(index: IndexRows, marksOf: MarksOf): MarkColumn | undefined {
  return made.get(marksOf)?.get(index)
}

export function markColumnOf(index: IndexRows, marksOf: MarksOf): MarkColumn {
  return findMarkColumn(index, marksOf) ?? atOnce(makeMarkColumn(index, marksOf))
}

export async function prepareMarkColumn(index: IndexRows, marksOf: MarksOf): Promise<MarkColumn> {
  const known = findMarkColumn(index, marksOf)
  if (known) return known
  const own = making.get(marksOf) ?? new WeakMap<IndexRows, Promise<MarkColumn>>()
  making.set(marksOf, own)
  return shareMaking(own, index, () => inSlices(makeMarkColumn(index, marksOf)))
}

function* makeMarkColumn(index: IndexRows, marksOf: MarksOf): Slices<MarkColumn> {
  const numbers = new Int32Array(index.count)
  const states: (TeamMarked | undefined)[] = [undefined]
  const numberOf = new Map<TeamMarked, number>()
  for (let row = 0; row < index.count; row++) {
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
    const state = marksOf(index.ids[row] ?? '')
    if (!state) continue
    const number = numberOf.get(state) ?? states.push(state) - 1
    numberOf.set(state, number)
    numbers[row] = number
  }
  const column = { states, numbers }
  const own = made.get(marksOf) ?? new WeakMap<IndexRows, MarkColumn>()
  made.set(marksOf, own.set(index, column))
  return column
}
