import { CSV_CONTENT_TYPE, type CsvColumn, toCsv } from '#bff/http/csv.ts'
import type { AuditEvent } from '#contract/bff/audit.ts'

export type AuditFile = { name: string; contentType: string; text: string }

const COLUMNS: readonly CsvColumn<AuditEvent>[] = [
  ['at', ({ at }) => at],
  ['actor', ({ actor }) => actor && (actor.email ?? actor.id)],
  ['action', ({ action }) => action],
  ['object', ({ object }) => object],
  ['object_name', ({ objectName }) => objectName],
  ['before', ({ before }) => before && JSON.stringify(before)],
  ['after', ({ after }) => after && JSON.stringify(after)],
  ['route', ({ route }) => route],
  ['address', ({ address }) => address],
  ['request_id', ({ requestId }) => requestId],
]

export function toAuditFile(events: readonly AuditEvent[], format: 'csv' | 'json', now: Date): AuditFile {
  const name = `lantern-audit-${now.toISOString().slice(0, 10)}.${format}`
  return format === 'csv'
    ? { name, contentType: CSV_CONTENT_TYPE, text: toCsv(COLUMNS, events) }
    : { name, contentType: 'application/json', text: `${JSON.stringify({ events }, null, 2)}\n` }
}
