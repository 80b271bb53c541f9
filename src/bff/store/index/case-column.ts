import type { IndexRows } from './index-rows.ts'
import type { Slices } from './slices.ts'

/** Which rows are claims of one case. */
export type CaseColumn = {
  /** The case of each row, by a number of its own; `ONLY_CLAIM` for a row that no other one shares its case with. */
  numbers: Int32Array
  /** The rows of case n are those from `starts[n]` on, before `starts[n + 1]`, newest first. */
  starts: Int32Array
  rows: Int32Array
  /** The stored number of each case. */
  ids: readonly number[]
  /** The revision of the stored cases that these are. */
  revision: number
}

export const ONLY_CLAIM = -1
/** Number of rows that are looked up before the event loop has its turn. */
const SLICE_COUNT = 20_000

/** Finds the rows that share a case. `byId` has the stored number of a case by the id of a threat. */
export function* makeCaseColumn(
  { ids, count }: IndexRows,
  { byId, revision }: { byId: ReadonlyMap<string, number>; revision: number },
): Slices<CaseColumn> {
  const numberOf = new Map<number, number>()
  const numbers = new Int32Array(count).fill(ONLY_CLAIM)
  const sizes: number[] = []
  for (let row = 0; row < count; row++) {
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
    const caseId = byId.get(ids[row] ?? '')
    if (caseId === undefined) continue
    const number = numberOf.get(caseId) ?? numberOf.size
    numberOf.set(caseId, number)
    numbers[row] = number
    sizes[number] = (sizes[number] ?? 0) + 1
  }
  yield
  // Claims of the others are not stored any more.
  const shared = [...numberOf].filter(([, number]) => (sizes[number] ?? 0) > 1)
  const renumbered = new Int32Array(sizes.length).fill(ONLY_CLAIM)
  const starts = new Int32Array(shared.length + 1)
  for (const [at, [, number]] of shared.entries()) {
    renumbered[number] = at
    starts[at + 1] = (starts[at] ?? 0) + (sizes[number] ?? 0)
  }
  const next = starts.slice()
  const rows = new Int32Array(starts.at(-1) ?? 0)
  for (let row = 0; row < count; row++) {
    const before = numbers[row] ?? ONLY_CLAIM
    if (before === ONLY_CLAIM) continue
    const number = renumbered[before] ?? ONLY_CLAIM
    numbers[row] = number
    if (number === ONLY_CLAIM) continue
    const at = next[number] ?? 0
    rows[at] = row
    next[number] = at + 1
  }
  return { numbers, starts, rows, ids: shared.map(([caseId]) => caseId), revision }
}
