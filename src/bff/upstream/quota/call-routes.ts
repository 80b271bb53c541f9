import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Database } from '#database/database.ts'
import { readLedger } from './ledger-queries.ts'

export function callRoutes({ database, clock }: { database: Database; clock: Clock }): BffRoute[] {
  return [
    defineRoute('GET /bff/calls', {
      access: 'admin',
      answer: async () => ({ json: await readLedger(database, clock.nowMs()) }),
    }),
  ]
}
