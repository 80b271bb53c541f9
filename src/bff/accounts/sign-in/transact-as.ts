import { requireRole } from '#bff/http/require-role.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { lockAccounts } from './account-queries.ts'
import { lockSession } from './session-queries.ts'

/**
 * Makes a change and its record, together or not at all, for whoever is signed in still and has the role `least`, and
 * keeps both until it is made.
 */
export function transactAs<Result>(
  database: Database,
  session: ReaderSession,
  least: Role,
  run: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    requireRole(await lockSession(tx, session.id), least)
    return run(tx)
  })
}

/** The same for an admin; nobody else changes accounts meanwhile. */
export function transactAsAdmin<Result>(
  database: Database,
  session: ReaderSession,
  run: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await lockAccounts(tx)
    return transactAs(tx, session, 'admin', run)
  })
}
