import { type BffRoute, defineRoute } from '#bff/route.ts'
import { exportQuerySchema } from '#contract/bff/threat-export.ts'
import type { ExportThreats } from './export-threats.ts'
import { toNdjson } from './to-ndjson.ts'

export function exportRoutes({ exportThreats }: { exportThreats: ExportThreats }): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/exports/threats',
      access: 'viewer',
      query: exportQuerySchema,
      cost: 0,
      cache: 'none',
      answer: async ({ query }) => ({
        stream: toNdjson(await exportThreats(query)),
        contentType: 'application/x-ndjson',
      }),
    }),
  ]
}
