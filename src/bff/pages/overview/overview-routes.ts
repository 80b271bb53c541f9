import * as z from 'zod/mini'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { overviewQuerySchema } from '#contract/bff/overview.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { findRow, onlyColumn } from '#database/read-rows.ts'
import { type OverviewDependencies, OverviewMemos, orUnknown, readOverview } from './read-overview.ts'

// The request that begins a visit may be answered before it is noted.
const LEFT_AT = `(case when now() - seen_at > interval '30 minutes' then seen_at else left_at end)`

export function overviewRoutes(dependencies: OverviewDependencies): BffRoute[] {
  const { database } = dependencies
  const memos = new OverviewMemos()
  return [
    defineRoute('GET /bff/overview', {
      access: 'viewer',
      // Each reader has an own answer.
      query: overviewQuerySchema,
      async answer({ query, session }) {
        const lastLeft = await readLastLeft(database, session.user.id).catch(orUnknown)
        const reader = { lastLeft: lastLeft ?? null, accountId: session.user.id, ...query }
        return { json: await readOverview(dependencies, memos, reader) }
      },
    }),
  ]
}

/** Returns when an account's last visit ended, ISO 8601 UTC; null on its first. */
async function readLastLeft(db: Database, accountId: string): Promise<string | null> {
  return findRow(db, onlyColumn(z.nullable(z.string())), [accountId])`
    select ${isoUtc(LEFT_AT)} as left_at from visit where account_id = $1`
}
