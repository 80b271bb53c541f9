import { requireRole } from '#bff/http/require-role.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Database } from '#database/database.ts'
import { lockAccounts } from './account-queries.ts'
import { lockSession } from './session-queries.ts'

/** Makes a change for whoever is an admin still, and stays one until it is made: nobody else changes accounts meanwhile. */
export function transactAsAdmin<Result>(
  database: Database,
  session: ReaderSession,
  run: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await lockAccounts(tx)
    requireRole(await lockSession(tx, session.id), 'admin')
    return run(tx)
  })
}
