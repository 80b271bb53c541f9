import type { Log } from '#bff/http/log.ts'
import { applyOwnerChanges, resumeDueProfiles } from '#bff/notify/profile-queries.ts'
import type { ClaimPlacing } from '#bff/store/cases/place-claims.ts'
import type { ListMatching } from '#bff/store/lists/match-lists.ts'
import { readShift } from '#bff/store/read-shift.ts'
import type { Database } from '#database/database.ts'
import { startLoop } from '#server/start-loop.ts'
import { evaluateChanges, hasUnread, prepareChanges } from './evaluate-changes.ts'
import { type Evaluating, readLanternProfiles } from './lantern-profiles.ts'
import { sendProofs } from './prove-profile.ts'
import { sendWaiting } from './send-waiting.ts'
import type { SourceProfiles } from './source-profiles.ts'

const POLL_MS = 500
/** The pause after a failure, and between polls of profiles that have stopped. */
const RETRY_MS = 2_000
/** Other clients can change the profiles of our own service at any time, so they are read again. */
const RENEW_MS = 10_000

export type EvaluationOptions = Evaluating & {
  database: Database
  sourceProfiles: SourceProfiles
  listMatching: ListMatching
  claimPlacing: ClaimPlacing
  log: Log
}

/** Evaluates alert profiles until aborted, in the one process that leads. Never throws. */
export async function runEvaluation(options: EvaluationOptions, signal: AbortSignal): Promise<void> {
  const { database, clock, log, sourceProfiles } = options
  const due = { retryAt: 0, renewAt: 0 }
  const startedMs = clock.elapsedMs()

  const listProfiles = async (db: Database) => [
    ...(await readLanternProfiles(db, options)),
    ...(await sourceProfiles.list(db)),
  ]

  async function renewProfiles(): Promise<void> {
    due.renewAt = clock.elapsedMs() + RENEW_MS
    await sourceProfiles.renew()
  }

  async function evaluatePage(): Promise<boolean> {
    const preparedTo = await prepareChanges(database, options)
    // Profiles are read after the page was prepared. A profile that is older than a record of the page is then in the
    // list.
    await renewProfiles()
    return database.transaction(async (tx) => {
      await applyOwnerChanges(tx)
      return evaluateChanges(tx, { ...options, preparedTo, profiles: await listProfiles(tx) })
    })
  }

  async function evaluateUnread(): Promise<void> {
    const nowMs = clock.elapsedMs()
    const unread = await hasUnread(database, await listProfiles(database))
    if (unread !== 'changes' && nowMs >= due.renewAt) await renewProfiles()
    if (unread === 'nothing' || (unread === 'stopped' && nowMs < due.retryAt)) return
    if (unread === 'stopped') due.retryAt = nowMs + RETRY_MS
    while (!signal.aborted && (await evaluatePage()));
  }

  /**
   * Evaluates before it sends, so that a digest contains all that was stored before it was due. A profile that fails
   * does not delay the others.
   */
  async function evaluate(): Promise<void> {
    await database.transaction((tx) => resumeDueProfiles(tx, clock.nowMs()))
    await evaluateUnread()
    await sendWaiting(database, {
      ...options,
      runningMs: clock.elapsedMs() - startedMs,
      readShift: (scope) => readShift(options, scope),
    })
  }

  const start = (fault: string, run: () => Promise<void>): Promise<void> =>
    startLoop(run, {
      everyMs: POLL_MS,
      afterFaultMs: RETRY_MS,
      signal,
      onFault: (error) => log.error(fault, error),
    }).ended
  await Promise.all([
    start('alerts-not-evaluated', evaluate),
    start('alert-tests-not-sent', () => sendProofs(database, options)),
  ])
}
