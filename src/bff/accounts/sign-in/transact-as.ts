import { requireRole } from '#bff/http/require-role.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { lockAccounts } from './account-queries.ts'
import { lockSession } from './session-queries.ts'

/**
 * The process that makes a change may be silent this long between two statements: a stuck one holds locks that changes of
 * other nodes wait for, and a proxy waits 2.5 s for these.
 */
const SILENT_MAX_MS = 1_500
/** Longer than other servers are given for an answer. */
const SILENT_OUTSIDE_MAX_MS = 30_000

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
    await limitSilence(tx, SILENT_MAX_MS)
    requireRole(await lockSession(tx, session.id), least)
    return run(tx)
  })
}

/** Does the same for an admin; nobody else changes accounts meanwhile. */
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

/** Extends the limit within a change that waits for another server. */
export function allowWait(tx: Database): Promise<void> {
  return limitSilence(tx, SILENT_OUTSIDE_MAX_MS)
}

async function limitSilence(tx: Database, ms: number): Promise<void> {
  await tx.query(`set local idle_in_transaction_session_timeout = ${ms}`)
}
