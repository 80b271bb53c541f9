import type { DueClaims } from '#bff/store/cases/claim-cases.ts'
import { type DueRule, dueOfClaim } from '#bff/store/cases/due-of-case.ts'
import type { IndexRows } from './index-rows.ts'
import { type MarksOf, markColumnOf, prepareMarkColumn } from './mark-column.ts'
import { atOnce, inSlices, type Slices, shareMaking } from './slices.ts'

/** Claims and hours that decide when cases are due. The object is replaced at each change. */
export type CaseDue = { claims: DueClaims; rule: DueRule; marksOf: MarksOf }

/** The claims of rows whose cases can be due. */
type ClaimColumns = {
  /** The case of each row, by a number of its own; `NO_CASE` for one that cannot be due. */
  numbers: Int32Array
  count: number
  /** Epoch milliseconds; NaN for a claim of the past. */
  knownAt: Float64Array
  levels: Uint8Array
}

const NO_CASE = -1
/** Number of rows that are looked up before the event loop has its turn. */
const SLICE_COUNT = 20_000

const claimColumns = new WeakMap<DueClaims, WeakMap<IndexRows, ClaimColumns>>()
const made = new WeakMap<CaseDue, WeakMap<IndexRows, Float64Array>>()
const making = new WeakMap<CaseDue, WeakMap<IndexRows, Promise<Float64Array>>>()

/** When the case of each row is due, epoch milliseconds; NaN for never, and for a closed threat. */
export function dueColumnOf(index: IndexRows, due: CaseDue): Float64Array {
  return made.get(due)?.get(index) ?? atOnce(makeDueColumn(index, due))
}

export async function prepareDueColumn(index: IndexRows, due: CaseDue): Promise<Float64Array> {
  const known = made.get(due)?.get(index)
  if (known) return known
  const own = making.get(due) ?? new WeakMap<IndexRows, Promise<Float64Array>>()
  making.set(due, own)
  return shareMaking(own, index, async () => {
    await prepareMarkColumn(index, due.marksOf)
    return inSlices(makeDueColumn(index, due))
  })
}

function* makeDueColumn(index: IndexRows, due: CaseDue): Slices<Float64Array> {
  const { numbers, count, knownAt, levels } =
    claimColumns.get(due.claims)?.get(index) ?? (yield* makeClaimColumns(index, due.claims))
  const { states, numbers: marks } = markColumnOf(index, due.marksOf)
  const isClosed = states.map((state) => state?.isClosed ?? false)
  const firstAt = new Float64Array(count).fill(Number.NaN)
  const isOpen = new Uint8Array(index.count)
  for (let row = 0; row < index.count; row++) {
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
    const number = numbers[row] ?? NO_CASE
    if (number === NO_CASE || isClosed[marks[row] ?? 0]) continue
    isOpen[row] = 1
    const knownAtMs = knownAt[row] ?? Number.NaN
    if (Number.isNaN(knownAtMs)) continue
    const { atMs } = dueOfClaim({ knownAtMs, levels: levels[row] ?? 0 }, due.rule) ?? {}
    const isLater = (firstAt[number] ?? Number.NaN) <= (atMs ?? Number.NaN)
    if (atMs !== undefined && !isLater) firstAt[number] = atMs
  }
  const column = new Float64Array(index.count).fill(Number.NaN)
  for (let row = 0; row < index.count; row++)
    if (isOpen[row] === 1) column[row] = firstAt[numbers[row] ?? NO_CASE] ?? Number.NaN
  const own = made.get(due) ?? new WeakMap<IndexRows, Float64Array>()
  made.set(due, own.set(index, column))
  return column
}

function* makeClaimColumns(index: IndexRows, claims: DueClaims): Slices<ClaimColumns> {
  const numbers = new Int32Array(index.count).fill(NO_CASE)
  const knownAt = new Float64Array(index.count).fill(Number.NaN)
  const levels = new Uint8Array(index.count)
  const numberOf = new Map<number, number>()
  for (let row = 0; row < index.count; row++) {
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
    const claim = claims.byId.get(index.ids[row] ?? '')
    if (!claim) continue
    const number = numberOf.get(claim.caseId) ?? numberOf.size
    numberOf.set(claim.caseId, number)
    numbers[row] = number
    knownAt[row] = claim.knownAtMs ?? Number.NaN
    levels[row] = claim.levels
  }
  const columns = { numbers, count: numberOf.size, knownAt, levels }
  const own = claimColumns.get(claims) ?? new WeakMap<IndexRows, ClaimColumns>()
  claimColumns.set(claims, own.set(index, columns))
  return columns
}
