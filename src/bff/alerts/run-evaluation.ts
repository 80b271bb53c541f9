import { setTimeout as sleep } from 'node:timers/promises'
import { deleteEndedMutes } from '#bff/notify/mute-queries.ts'
import { applyOwnerChanges, resumeDueProfiles } from '#bff/notify/profile-queries.ts'
import { createLedgerAccess } from '#bff/notify/recipient-seals.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { type EvaluateOptions, evaluateChanges, hasUnread } from './evaluate-changes.ts'
import { dropOldMatches } from './evaluation-queries.ts'
import { type LanternProfileDependencies, readLanternProfiles } from './lantern-profiles.ts'
import { type ProofDependencies, sendProofs } from './prove-profile.ts'
import { sendWaiting } from './send-waiting.ts'
import type { SourceProfiles } from './source-profiles.ts'

const POLL_MS = 500
/** Profiles that could not be evaluated are tried again as often. */
const RETRY_MS = 2_000
/** Other clients change profiles of our own service at any time. */
const RENEW_MS = 10_000

export type EvaluationOptions = Omit<LanternProfileDependencies & ProofDependencies, 'access'> &
  Pick<EvaluateOptions, 'origin' | 'log'> & {
    database: Database
    sourceProfiles: SourceProfiles
  }

/** Evaluates alert profiles until aborted, in the one process that leads. Never throws. */
export async function runEvaluation(options: EvaluationOptions, signal: AbortSignal): Promise<void> {
  const { database, secret, clock, log, sourceProfiles } = options
  const access = createLedgerAccess(secret)
  const due = { dropAt: 0, retryAt: 0, renewAt: 0 }
  const startedMs = clock.elapsedMs()
  let isFailing = false

  const listProfiles = async (db: Database) => [
    ...(await readLanternProfiles(db, { ...options, access })),
    ...(await sourceProfiles.list(db)),
  ]

  const evaluatePage = () =>
    database.transaction(async (tx) => {
      await applyOwnerChanges(tx)
      return evaluateChanges(tx, { ...options, access, profiles: await listProfiles(tx) })
    })

  async function evaluateUnread(): Promise<void> {
    const nowMs = clock.elapsedMs()
    const unread = await hasUnread(database, await listProfiles(database))
    if (unread === 'changes' || nowMs >= due.renewAt) {
      due.renewAt = nowMs + RENEW_MS
      await sourceProfiles.renew()
    }
    if (unread === 'nothing' || (unread === 'stopped' && nowMs < due.retryAt)) return
    if (unread === 'stopped') due.retryAt = nowMs + RETRY_MS
    while (!signal.aborted && (await evaluatePage()));
  }

  while (!signal.aborted) {
    try {
      await database.transaction((tx) => resumeDueProfiles(tx, clock.nowMs()))
      await evaluateUnread()
      await sendWaiting(database, { ...options, access, runningMs: clock.elapsedMs() - startedMs })
      await sendProofs(database, { ...options, access })
      if (clock.elapsedMs() >= due.dropAt) {
        due.dropAt = clock.elapsedMs() + HOUR_MS
        await dropOldMatches(database)
        await deleteEndedMutes(database)
      }
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error('alerts-not-evaluated', error)
      isFailing = true
    }
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
