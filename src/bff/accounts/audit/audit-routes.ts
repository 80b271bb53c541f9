import { EXPORTS } from '#bff/http/account-limits.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { auditExportQuerySchema, auditQuerySchema } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import { toAuditFile } from './audit-file.ts'
import { listAuditEvents, readAllAuditEvents } from './audit-queries.ts'
import { auditFacts, recordAudit } from './record-audit.ts'

/** About 15 MB of text. */
const EXPORTED_MAX_COUNT = 50_000

const ADMINS = { method: 'GET', access: 'admin', cache: 'none' } as const

/** The record, to read only: there is no way to change it. */
export function auditRoutes({ database }: { database: Database }): BffRoute[] {
  return [
    defineRoute({
      ...ADMINS,
      path: '/bff/audit',
      query: auditQuerySchema,
      async answer({ query: { cursor, ...filter } }) {
        return { json: await listAuditEvents(database, filter, cursor) }
      },
    }),
    defineRoute({
      ...ADMINS,
      path: '/bff/audit/export',
      query: auditExportQuerySchema,
      limit: EXPORTS,
      async answer({ query: { format, ...filter }, session, request }) {
        const events = await readAllAuditEvents(database, filter, EXPORTED_MAX_COUNT)
        if (!events) throw tooMany()
        const route = 'GET /bff/audit/export'
        const facts = auditFacts(route, { session, request })
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

function tooMany(): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    title: 'This is too much for one file',
    detail: `Choose fewer days: a file holds up to ${EXPORTED_MAX_COUNT.toLocaleString('en')} events.`,
  })
}
