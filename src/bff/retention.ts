import { hasAuditBefore, pruneAudit, readFirstDay } from '#bff/accounts/audit/prune-audit.ts'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Log } from '#bff/http/log.ts'
import { CHANGE_LOG_DAYS, deleteOldChanges } from '#bff/store/changes/change-log.ts'
import { deleteOldEvents } from '#bff/store/records/triage-queries.ts'
import { deleteOldCalls } from '#bff/upstream/quota/call-queries.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { deleteInPieces } from '#database/delete-in-pieces.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { affectsRows } from '#database/read-rows.ts'
import { type Loop, startLoop } from '#server/start-loop.ts'

/** Each is kept for this many days; for ever if undefined. */
export type Retention = {
  auditDays?: number | undefined
  triageHistoryDays?: number | undefined
  callsDays?: number | undefined
}

export type RetentionOptions = {
  database: Database
  retention: Retention
  /** Opens the role that may prune the audit record; without it, pruning is run apart. */
  openOwner?: (() => Promise<OpenDatabase>) | undefined
  log: Log
}

/** Any number will do, as long as every process takes the same one. */
const RETENTION_LOCK = 7_276_397

type Kind = {
  setting: string
  days: number | undefined
  prune(day: string): Promise<unknown>
}

/**
 * Deletes what is older than is kept: whole days (UTC), so that of the looks at each hour one a day finds something, in one
 * process.
 */
export function startRetention(options: RetentionOptions): Loop {
  const { database, log } = options
  async function pruneAll(signal: AbortSignal): Promise<void> {
    for (const { setting, days, prune } of kindsOf(options, signal)) {
      if (days === undefined) continue
      try {
        await prune(await readFirstDay(database, days))
      } catch (error) {
        if (!signal.aborted) log.error('retention-failed', error, { setting })
      }
    }
  }
  return startLoop(pruneAll, { everyMs: HOUR_MS, onFault: (error) => log.error('retention-failed', error) })
}

function kindsOf({ database, retention, openOwner }: RetentionOptions, signal: AbortSignal): Kind[] {
  const table = (
    setting: string,
    days: number | undefined,
    action: AuditAction,
    deleteOld: (tx: Database, before: string, most: number) => Promise<number>,
  ): Kind => ({
    setting,
    days,
    prune: (before) =>
      deleteInPieces(
        database,
        async (tx, most) => {
          if (!(await takeLock(tx))) return 0
          const rows = await deleteOld(tx, before, most)
          const nobody = { actor: null, object: null, address: null, requestId: null }
          if (rows > 0) await recordAudit(tx, { ...nobody, action, route: setting, after: { rows, before } })
          return rows
        },
        signal,
      ),
  })
  const audit: Kind = {
    setting: 'AUDIT_RETENTION_DAYS',
    days: openOwner && retention.auditDays,
    async prune(before) {
      if (!openOwner || !(await hasAuditBefore(database, before))) return
      const owner = await openOwner()
      try {
        await pruneAudit(owner, { before, route: audit.setting, signal })
      } finally {
        await owner.close()
      }
    },
  }
  // No audit record: the log holds nothing that people did, and the dates are not a setting.
  const changes: Kind = {
    setting: 'CHANGE_LOG_DAYS',
    days: CHANGE_LOG_DAYS,
    prune: (before) =>
      deleteInPieces(
        database,
        async (tx, most) => ((await takeLock(tx)) ? deleteOldChanges(tx, before, most) : 0),
        signal,
      ),
  }
  return [
    table(
      'TRIAGE_HISTORY_RETENTION_DAYS',
      retention.triageHistoryDays,
      'triage-history-pruned',
      deleteOldEvents,
    ),
    table('CALLS_DAYS', retention.callsDays, 'calls-pruned', deleteOldCalls),
    audit,
    changes,
  ]
}

/** Takes a lock until the end of the transaction, so that only one process deletes. */
async function takeLock(tx: Database): Promise<boolean> {
  return affectsRows(tx, [RETENTION_LOCK])`select where pg_try_advisory_xact_lock($1)`
}
