import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Log } from '#bff/http/log.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { exportQuerySchema } from '#contract/bff/threat-export.ts'
import type { Database } from '#database/database.ts'
import { createExportThreats, type ExportThreatsDependencies } from './export-threats.ts'
import { toNdjson } from './to-ndjson.ts'

type ExportRouteDependencies = ExportThreatsDependencies & { database: Database; log: Log }
const PATH = '/bff/exports/threats'

export function exportRoutes({ database, log, ...dependencies }: ExportRouteDependencies): BffRoute[] {
  const exportThreats = createExportThreats(dependencies)
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      access: 'viewer',
      query: exportQuerySchema,
      cache: 'none',
      async answer({ query, ...asked }) {
        const lines = await exportThreats(query)
        await recordAudit(database, {
          ...auditFacts(`GET ${PATH}`, asked),
          action: 'threats-exported',
          object: null,
          after: query,
        })
        const facts = { requestId: asked.request.id, method: 'GET', route: PATH }
        const stream = toNdjson(lines, (error) => log.error('request-failed', error, facts))
        return { stream, contentType: 'application/x-ndjson' }
      },
    }),
  ]
}
