import type { AuditEvent } from '#contract/bff/audit.ts'

export type AuditFile = { name: string; contentType: string; text: string }

const COLUMNS: readonly [string, (event: AuditEvent) => string | null][] = [
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
    ? { name, contentType: 'text/csv; charset=utf-8', text: toCsv(events) }
    : { name, contentType: 'application/json', text: `${JSON.stringify({ events }, null, 2)}\n` }
}

/** RFC 4180, every cell quoted. */
function toCsv(events: readonly AuditEvent[]): string {
  const lines = [
    COLUMNS.map(([name]) => name),
    ...events.map((event) => COLUMNS.map(([, read]) => read(event))),
  ]
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

/** What a spreadsheet would take for a formula is led by an apostrophe (ASVS 1.2.10). */
function toCell(text: string | null): string {
  const safe = /^[=+\-@\t\r\n\0]/.test(text ?? '') ? `'${text}` : (text ?? '')
  return `"${safe.replaceAll('"', '""')}"`
}
