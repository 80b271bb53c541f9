import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { EXPORTS } from '#bff/http/account-limits.ts'
import type { Log } from '#bff/http/log.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { authorOf } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { exportQuerySchema } from '#contract/bff/threat-export.ts'
import type { Database } from '#database/database.ts'
import { exportThreats } from './export-threats.ts'

const BATCH_MIN_LENGTH = 64 * 1024

type ExportRouteDependencies = { database: Database; store: ThreatStore; clock: Clock; log: Log }

export function exportRoutes(dependencies: ExportRouteDependencies): BffRoute[] {
  const { database, log } = dependencies
  return [
    defineRoute('GET /bff/exports/threats', {
      access: 'viewer',
      query: exportQuerySchema,
      limit: EXPORTS,
      async answer({ query, ...context }) {
        const lines = await exportThreats(dependencies, { ...query, author: authorOf(context.session) })
        await recordAudit(database, {
          ...auditFacts(context),
          action: 'threats-exported',
          object: null,
          after: query,
        })
        const facts = { requestId: context.request.id, method: 'GET', route: '/bff/exports/threats' }
        const stream = toNdjson(lines, (error) => log.error('request-failed', error, facts))
        return { stream, contentType: 'application/x-ndjson' }
      },
    }),
  ]
}

/**
 * Values as JSON, one a line, made no faster than they are taken. What breaks them off goes to `onError` alone: whoever
 * reads them sees that they broke off.
 */
function toNdjson(
  values: AsyncGenerator<unknown>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()

  async function nextBatch(): Promise<{ text: string; isLast: boolean }> {
    let text = ''
    while (text.length < BATCH_MIN_LENGTH) {
      const { value, done } = await values.next()
      if (done) return { text, isLast: true }
      text += `${JSON.stringify(value)}\n`
    }
    return { text, isLast: false }
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { text, isLast } = await nextBatch().catch((error: unknown) => {
        onError(error)
        throw new Error('The rest could not be read')
      })
      if (text !== '') controller.enqueue(encoder.encode(text))
      if (isLast) controller.close()
    },
    async cancel() {
      await values.return(undefined)
    },
  })
}
