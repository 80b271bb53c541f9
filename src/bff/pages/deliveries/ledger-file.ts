import { CSV_CONTENT_TYPE, type CsvColumn, toCsv } from '#bff/http/csv.ts'
import type { LedgerEntry } from '#contract/bff/ledger.ts'

const COLUMNS: readonly CsvColumn<LedgerEntry>[] = [
  ['created_at', ({ createdAt }) => createdAt],
  ['keeper', ({ keeper }) => keeper],
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['state', ({ state }) => state],
  ['reason', ({ reason }) => reason],
  ['channel', ({ channel }) => channel],
  ['destination', ({ destination }) => destination],
  ['causes', ({ causes }) => causes.map(({ name }) => name).join('; ')],
  ['threats', ({ threatCount }) => threatCount],
  ['subject', ({ subject }) => subject],
  ['attempts', ({ attempts }) => attempts],
  ['answered_at', ({ answeredAt }) => answeredAt],
  ['code', ({ code }) => code],
  ['excerpt', ({ excerpt }) => excerpt],
]

/** A table, or a line of JSON each. */
export function toLedgerFile(entries: readonly LedgerEntry[], format: 'csv' | 'ndjson', now: Date) {
  const name = `lantern-deliveries-${now.toISOString().slice(0, 10)}.${format}`
  if (format === 'ndjson') {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    return { name, contentType: 'application/x-ndjson', text }
  }
  return { name, contentType: CSV_CONTENT_TYPE, text: toCsv(COLUMNS, entries) }
}
