import { withoutFormula } from '#contract/formula.ts'

/** A column's name, and what a record has in it. */
export type CsvColumn<Item> = readonly [name: string, read: (item: Item) => string | number | null]

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8'

/** RFC 4180 with a head, every cell quoted, and none that a spreadsheet takes for a formula. */
export function toCsv<Item>(columns: readonly CsvColumn<Item>[], items: readonly Item[]): string {
  const lines = [columns.map(([name]) => name), ...items.map((item) => columns.map(([, read]) => read(item)))]
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

function toCell(value: string | number | null): string {
  return `"${withoutFormula(String(value ?? '')).replaceAll('"', '""')}"`
}
