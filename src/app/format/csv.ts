import { withoutFormula } from '#contract/formula.ts'

const NEEDS_QUOTES = /[",\r\n]/
// A spreadsheet takes the bytes for another encoding without it.
const BYTE_ORDER_MARK = '\ufeff'

/** A text, or a number that a spreadsheet may count with; null is an empty cell. */
export type Cell = string | number | null

/** A table as CSV (RFC 4180) that no spreadsheet runs: `cells` are as they are shown, addresses defanged. */
export function toCsv(rows: Iterable<readonly Cell[]>): string {
  let text = BYTE_ORDER_MARK
  for (const row of rows) text += csvLine(row)
  return text
}

/** One line of it, with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toField).join(',')}\r\n`
}

function toField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const inert = withoutFormula(cell.toWellFormed().replaceAll('\0', '\ufffd'))
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
