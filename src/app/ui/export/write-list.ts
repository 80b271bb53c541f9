import { type Cell, toCsv } from '#app/format/csv.ts'
import { type ExportFormat, exportFileName, MEDIA_TYPES } from './export-form.tsx'

export const LIST_FORMATS = ['csv', 'json'] as const satisfies readonly ExportFormat[]
export type ListFormat = (typeof LIST_FORMATS)[number]

/** A CSV column of a row, as shown to people. */
export type ListColumn<Row> = { id: string; label: string; read(row: Row): Cell }

export type List<Row> = {
  /** Plural noun for the rows: `actors`. */
  noun: string
  columns: readonly ListColumn<Row>[]
  /** In the order of the page. */
  rows: readonly Row[]
  /** Further members of the JSON: the query and the time that the rows cover. */
  about: Readonly<Record<string, unknown>>
  /** Why not everything is there, for a person; null when it is. */
  partialReason: string | null
}

type WriteListOptions = { format: ListFormat; columns: readonly string[]; now: Date }

/** A list as a file: a CSV of the chosen columns, or the records as they are. */
export function writeList<Row>(
  { noun, columns, rows, about, partialReason }: List<Row>,
  { format, columns: chosenIds, now }: WriteListOptions,
): { file: Blob; name: string } {
  const exportedAt = now.toISOString()
  const chosen = columns.filter(({ id }) => chosenIds.includes(id))
  const text =
    format === 'csv'
      ? toCsv([chosen.map(({ label }) => label), ...rows.map((row) => chosen.map(({ read }) => read(row)))])
      : `${JSON.stringify({ exportedAt, ...about, [noun]: rows, partialReason }, null, 2)}\n`
  return {
    file: new Blob([text], { type: MEDIA_TYPES[format] }),
    name: exportFileName({ noun, exportedAt, format, isPartial: partialReason !== null }),
  }
}
