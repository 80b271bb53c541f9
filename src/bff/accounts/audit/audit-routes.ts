import { EXPORTS } from '#bff/http/account-limits.ts'
import { answerCsv, answerDownload, type CsvColumn } from '#bff/http/csv.ts'
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
        if (format === 'csv') return answerCsv('audit', COLUMNS, events)
        const text = `${JSON.stringify({ events }, null, 2)}\n`
        return answerDownload('audit', { format, contentType: 'application/json', text })
      },
    }),
  ]
}

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
