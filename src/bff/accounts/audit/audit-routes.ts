import { EXPORTS } from '#bff/http/account-limits.ts'
import { CSV_CONTENT_TYPE, type CsvColumn, toCsv } from '#bff/http/csv.ts'
import { badRequest } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { AuditEvent } from '#contract/bff/audit.ts'
import { auditExportQuerySchema, auditQuerySchema } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import { listAuditEvents, readAllAuditEvents } from './audit-queries.ts'
import { auditFacts, recordAudit } from './record-audit.ts'

/** About 15 MB of text. */
const EXPORTED_MAX_COUNT = 50_000

/** The record, to read only: there is no way to change it. */
export function auditRoutes({ database }: { database: Database }): BffRoute[] {
  return [
    defineRoute('GET /bff/audit', {
      access: 'admin',
      query: auditQuerySchema,
      async answer({ query: { cursor, ...filter } }) {
        return { json: await listAuditEvents(database, filter, cursor) }
      },
    }),
    defineRoute('GET /bff/audit/export', {
      access: 'admin',
      query: auditExportQuerySchema,
      limit: EXPORTS,
      async answer({ query: { format, ...filter }, session, request }) {
        const events = await readAllAuditEvents(database, filter, EXPORTED_MAX_COUNT)
        if (!events)
          throw badRequest(
            `Choose fewer days: a file holds up to ${EXPORTED_MAX_COUNT.toLocaleString('en')} events.`,
            'This is too much for one file',
          )
        const facts = auditFacts({ session, request })
        const after = { format, events: events.length, ...filter }
        await recordAudit(database, { ...facts, action: 'audit-exported', object: null, after })
        const { name, contentType, text } = toAuditFile(events, format, new Date())
        return {
          bytes: new TextEncoder().encode(text),
          contentType,
          headers: { 'content-disposition': `attachment; filename="${name}"` },
        }
      },
    }),
  ]
}

type AuditFile = { name: string; contentType: string; text: string }

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

function toAuditFile(events: readonly AuditEvent[], format: 'csv' | 'json', now: Date): AuditFile {
  const name = `lantern-audit-${now.toISOString().slice(0, 10)}.${format}`
  return format === 'csv'
    ? { name, contentType: CSV_CONTENT_TYPE, text: toCsv(COLUMNS, events) }
    : { name, contentType: 'application/json', text: `${JSON.stringify({ events }, null, 2)}\n` }
}
