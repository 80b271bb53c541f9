import { hasAuditBefore, pruneAudit, readFirstDay } from '#bff/accounts/audit/prune-audit.ts'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { deleteOldMatches } from '#bff/alerts/evaluation-queries.ts'
import type { Log } from '#bff/http/log.ts'
import { deleteEndedMutes } from '#bff/notify/mute-queries.ts'
import { destinationsOf, readRecipientsOf } from '#bff/notify/recipient-queries.ts'
import { CHANGE_LOG_DAYS, deleteOldChanges } from '#bff/store/changes/change-log.ts'
import { deleteOldEvents } from '#bff/store/records/triage-queries.ts'
import { deleteOldCalls } from '#bff/upstream/quota/call-queries.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { type DeletePiece, deleteInPieces } from '#database/delete-in-pieces.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { affectsRows } from '#database/read-rows.ts'
import { keepDestinations } from '#delivery/destination-queries.ts'
import { deleteOldDeliveries, deleteUnused } from '#delivery/prune-deliveries.ts'
import { type Loop, startLoop } from '#server/start-loop.ts'

const AUDIT_SETTING = 'AUDIT_RETENTION_DAYS'
/** Calls are forecast from the last seven days. */
const CALLS_DAYS = 31
const DELIVERIES_DAYS = 90
/** Longer than a change of a record is kept: nothing is sent again once its match is deleted. */
const MATCHES_DAYS = 2 * CHANGE_LOG_DAYS

/** Days that are settings; for ever if undefined. */
export type Retention = {
  auditDays?: number | undefined
  triageHistoryDays?: number | undefined
}

export type RetentionOptions = {
  database: Database
  secret: string
  retention: Retention
  /** Opens the role that may prune the audit record; without it, pruning is run apart. */
  openOwner?: (() => Promise<OpenDatabase>) | undefined
  log: Log
}

/** Any number will do, as long as every process takes the same one. */
const RETENTION_LOCK = 7_276_397

type Kind = {
  /** The log and the audit record name the kind by its setting, or by its table. */
  name: string
  days: number | undefined
  /** Deletes at most so many rows from before a day (UTC), and returns how many they were. */
  deleteOld(tx: Database, before: string, most: number): Promise<number>
  /** The audit record has this action for each piece, where people or their actions are deleted. */
  action?: AuditAction
}

function listKinds({ retention, secret }: RetentionOptions): Kind[] {
  return [
    {
      name: 'TRIAGE_HISTORY_RETENTION_DAYS',
      days: retention.triageHistoryDays,
      deleteOld: deleteOldEvents,
      action: 'triage-history-pruned',
    },
    { name: 'CALLS_DAYS', days: CALLS_DAYS, deleteOld: deleteOldCalls, action: 'calls-pruned' },
    { name: 'threat_change', days: CHANGE_LOG_DAYS, deleteOld: deleteOldChanges },
    { name: 'alert_match', days: MATCHES_DAYS, deleteOld: deleteOldMatches },
    { name: 'alert_mute', days: 0, deleteOld: deleteEndedMutes },
    { name: 'delivery', days: DELIVERIES_DAYS, deleteOld: deleteOldDeliveries },
    {
      name: 'delivery_destination',
      days: DELIVERIES_DAYS,
      async deleteOld(tx, before, most) {
        const recipients = destinationsOf(await readRecipientsOf(tx, null), { secret, hasEmail: true })
        await keepDestinations(tx, recipients, { secret })
        return deleteUnused(tx, before, most)
      },
    },
  ]
}

/**
 * Deletes what is older than is kept: whole days (UTC), so that of the looks at each hour one a day finds something, in one
 * process.
 */
export function startRetention(options: RetentionOptions): Loop {
  const { database, log } = options
  const kinds = listKinds(options)

  async function deleteAll(signal: AbortSignal): Promise<void> {
    const attempt = async (
      name: string,
      days: number | undefined,
      prune: (day: string) => Promise<unknown>,
    ) => {
      if (days === undefined || signal.aborted) return
      try {
        await prune(await readFirstDay(database, days))
      } catch (error) {
        // Stopping Lantern is no failure.
        if (!signal.aborted) log.error('retention-failed', error, { setting: name })
      }
    }
    for (const kind of kinds)
      await attempt(kind.name, kind.days, (before) => deleteKind(database, kind, before, signal))
    await attempt(AUDIT_SETTING, options.retention.auditDays, (before) =>
      pruneAsOwner(options, before, signal),
    )
  }
  return startLoop(deleteAll, { everyMs: HOUR_MS, onFault: (error) => log.error('retention-failed', error) })
}

function deleteKind(
  database: Database,
  { name, deleteOld, action }: Kind,
  before: string,
  signal: AbortSignal,
): Promise<number> {
  const deletePiece: DeletePiece = async (tx, most) => {
    if (!(await takeLock(tx))) return 0
    const rows = await deleteOld(tx, before, most)
    const nobody = { actor: null, object: null, address: null, requestId: null }
    if (rows > 0 && action) await recordAudit(tx, { ...nobody, action, route: name, after: { rows, before } })
    return rows
  }
  return deleteInPieces(database, deletePiece, signal)
}

async function pruneAsOwner(
  { database, openOwner }: RetentionOptions,
  before: string,
  signal: AbortSignal,
): Promise<void> {
  if (!openOwner || !(await hasAuditBefore(database, before))) return
  const owner = await openOwner()
  try {
    await pruneAudit(owner, { before, route: AUDIT_SETTING, signal })
  } finally {
    await owner.close()
  }
}

/** Takes a lock until the end of the transaction, so that only one process deletes. */
async function takeLock(tx: Database): Promise<boolean> {
  return affectsRows(tx, [RETENTION_LOCK])`select where pg_try_advisory_xact_lock($1)`
}
