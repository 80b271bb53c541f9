import { withoutFormula } from '#contract/formula.ts'

/** A column's name, and what a record has in it. */
export type CsvColumn<Item> = readonly [name: string, read: (item: Item) => string | number | null]

type Download = { format: string; contentType: string; text: string }

/** Answers a file that browsers save: `lantern-audit-2026-03-01.json`. */
export function answerDownload(subject: string, { format, contentType, text }: Download) {
  const name = `lantern-${subject}-${new Date().toISOString().slice(0, 10)}.${format}`
  return {
    bytes: new TextEncoder().encode(text),
    contentType,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  }
}

export function answerCsv<Item>(
  subject: string,
  columns: readonly CsvColumn<Item>[],
  items: readonly Item[],
) {
  const text = toCsv(columns, items)
  return answerDownload(subject, { format: 'csv', contentType: 'text/csv; charset=utf-8', text })
}

/** RFC 4180 with a head, every cell quoted, and none that a spreadsheet takes for a formula. */
function toCsv<Item>(columns: readonly CsvColumn<Item>[], items: readonly Item[]): string {
  const lines = [columns.map(([name]) => name), ...items.map((item) => columns.map(([, read]) => read(item)))]
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

function toCell(value: string | number | null): string {
  return `"${withoutFormula(String(value ?? '')).replaceAll('"', '""')}"`
}
