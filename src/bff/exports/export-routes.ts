import { auditFacts, recordAudit } from '#bff/audit/record-audit.ts'
import { type BffRoute, defineRoute } from '#bff/route.ts'
import { exportQuerySchema } from '#contract/bff/threat-export.ts'
import type { Database } from '#database/database.ts'
import type { ExportThreats } from './export-threats.ts'
import { toNdjson } from './to-ndjson.ts'

type ExportRouteDependencies = { database: Database; exportThreats: ExportThreats }

export function exportRoutes({ database, exportThreats }: ExportRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/exports/threats',
      access: 'viewer',
      query: exportQuerySchema,
      cost: 0,
      cache: 'none',
      async answer({ query, ...asked }) {
        const lines = await exportThreats(query)
        await recordAudit(database, {
          ...auditFacts('GET /bff/exports/threats', asked),
          action: 'threats-exported',
          object: null,
          after: query,
        })
        return { stream: toNdjson(lines), contentType: 'application/x-ndjson' }
      },
    }),
  ]
}
