import { randomUUID } from 'node:crypto'
import { type AlertProblem, describeProblem } from '#bff/alerts/health/describe-problem.ts'
import {
  listProblems,
  type MailFault,
  type ProblemDependencies,
  READ_ONLY,
} from '#bff/alerts/health/list-problems.ts'
import { notifyProblems } from '#bff/alerts/health/notify-problems.ts'
import type { Log } from '#bff/http/log.ts'
import { notifyAccountChanges } from '#bff/notify/account-notices.ts'
import { listAdmins } from '#bff/notify/list-admins.ts'
import {
  KEY_REFUSED,
  type NoticeOptions,
  notifyOfPast,
  type OperationNotice,
  STALE_DATA,
  setNotice,
} from '#bff/notify/operation-notices.ts'
import { notifyOfInactiveOwners } from '#bff/notify/owner-notices.ts'
import { applyOwnerChanges, mailOwnerChanges } from '#bff/notify/profile-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { REFUSED_KEY_STATE } from '#contract/bff/source.ts'
import type { Database } from '#database/database.ts'
import { createEmailChannel, type EmailOptions } from '#delivery/channels/email-channel.ts'
import { excerptOf } from '#delivery/channels/read-answer.ts'
import { tryMailServer } from '#delivery/channels/send-by-smtp.ts'
import { startLoop } from '#server/start-loop.ts'

const LOOK_MS = 2_000
/** Lantern's own state is polled at this interval. */
const OPERATION_LOOK_MS = 15_000
/** A vendor may be paused this long before anybody is notified. */
const STALE_AFTER_MS = 15 * 60_000
const BROKEN_AFTER_MS = 60_000
const MAIL_MS = 30_000
/** Servers lock an account after some failed logins. */
const MAIL_LOOK_MS = 5 * 60_000
const MAIL_LOOK_MAX_MS = 10_000

export type RaiseNoticesOptions = NoticeOptions &
  EmailOptions & {
    database: Database
    upstream: Upstream
    store: ThreatStore
    clock: Clock
    isWritable: () => Promise<boolean>
    problems: ProblemDependencies
    lookMs?: number
    log: Log
  }

/** Notifies users about their accounts, and admins about Lantern itself, in the one process that leads. Never throws. */
export async function raiseNotices(options: RaiseNoticesOptions, signal: AbortSignal): Promise<void> {
  const lookAtOperation = createOperationLook(options)
  let lookedAt = Number.NEGATIVE_INFINITY
  async function look(): Promise<void> {
    const isDue = options.clock.elapsedMs() - lookedAt >= OPERATION_LOOK_MS
    if (isDue) lookedAt = options.clock.elapsedMs()
    const isWritable = !isDue || (await lookAtOperation())
    if (isWritable) await notifyAccountChanges(options.database, options)
  }
  const onFault = (error: unknown) => options.log.error('notices-not-told', error)
  await startLoop(look, { everyMs: options.lookMs ?? LOOK_MS, signal, onFault }).ended
}

/** Notifies about Lantern itself. Returns true if the database accepts writes. */
function createOperationLook(options: RaiseNoticesOptions): () => Promise<boolean> {
  const { database, upstream, store, clock, mail } = options
  const known = new Map<OperationNotice['key'], boolean>()
  let troubledSince: number | null = null
  let readOnlySince: string | null = null
  /** Null once nothing is to be looked for any more. */
  let mailLookAt: number | null = Number.NEGATIVE_INFINITY
  let mailFault: MailFault = null
  const brokenSince = new Map<string, number>()

  async function keepUp(notice: OperationNotice, isOn: boolean): Promise<void> {
    if (known.get(notice.key) === isOn) return
    await setNotice(database, notice, isOn, options)
    known.set(notice.key, isOn)
  }

  /** The server is polled until it works once: from then on, undelivered messages show its faults. */
  async function lookAtMailServer(): Promise<void> {
    if (!mail || mailLookAt === null || clock.elapsedMs() < mailLookAt) return
    const fault = await tryMailServer(mail.server, AbortSignal.timeout(MAIL_LOOK_MAX_MS))
    mailLookAt = fault && clock.elapsedMs() + MAIL_LOOK_MS
    mailFault = fault && {
      why: describeMailFault(fault),
      since: mailFault?.since ?? new Date(clock.nowMs()),
    }
  }

  /** Just after a start, a search may have no meaning yet, and earlier changes wait. */
  function isLasting({ key, kind, since }: AlertProblem): boolean {
    if (kind !== 'evaluationStopped' && (kind !== 'notEvaluated' || since !== null)) return true
    const seenAt = brokenSince.get(key) ?? clock.elapsedMs()
    brokenSince.set(key, seenAt)
    return clock.elapsedMs() - seenAt >= BROKEN_AFTER_MS
  }

  async function lookAtAlerts(): Promise<void> {
    await database.transaction(async (tx) => {
      await applyOwnerChanges(tx)
      await notifyOfInactiveOwners(tx)
      await mailOwnerChanges(tx, options)
    })
    const problems = await listProblems(database, options.problems, mailFault)
    for (const key of brokenSince.keys())
      if (!problems.some((problem) => problem.key === key)) brokenSince.delete(key)
    const notified = await notifyProblems(database, problems.filter(isLasting), options)
    // No process sends what is in the ledger.
    const stopped = notified.find(({ kind }) => kind === 'workerStopped')
    if (stopped) await mailAdmins(options, stopped)
  }

  return async () => {
    if (!(await options.isWritable())) {
      if (readOnlySince === null) {
        readOnlySince = new Date(clock.nowMs()).toISOString()
        await mailAdmins(options, READ_ONLY)
      }
      return false
    }
    if (readOnlySince !== null) {
      const text = `It was full or read-only from ${readOnlySince} on: nothing was stored or sent meanwhile.`
      await notifyOfPast(
        database,
        { subject: 'The database takes writes again', text, path: '/settings' },
        options,
      )
      readOnlySince = null
    }
    const { key } = await upstream.state()
    const { trouble } = await store.state()
    const isRefused = key === REFUSED_KEY_STATE
    if (trouble === null || isRefused) troubledSince = null
    else troubledSince ??= clock.elapsedMs()
    await keepUp(KEY_REFUSED, isRefused)
    await keepUp(STALE_DATA, troubledSince !== null && clock.elapsedMs() - troubledSince >= STALE_AFTER_MS)
    await lookAtMailServer()
    await lookAtAlerts()
    return true
  }
}

function describeMailFault(fault: NonNullable<Awaited<ReturnType<typeof tryMailServer>>>): string {
  if ('reason' in fault) return fault.reason
  const reply = `“${excerptOf(fault.reply, '')}”`
  return fault.kind === 'loginRefused'
    ? `The mail server refuses the login: ${reply}.`
    : `The mail server refuses the connection: ${reply}.`
}

/** Sends one mail without the ledger, which cannot be written or is not read. Delivery is not guaranteed. */
async function mailAdmins(
  { database, mail, domains, origin, log }: RaiseNoticesOptions,
  problem: AlertProblem,
): Promise<void> {
  if (!mail) return
  const shown = describeProblem(problem, { isAdmin: true, canSee: () => true })
  if (!shown) return
  const { subject, text, path } = shown
  const message = { kind: 'notice', subject, text, link: `${origin}${path}` } as const
  const email = createEmailChannel({ mail, domains })
  for (const admin of await listAdmins(database)) {
    const signal = AbortSignal.timeout(MAIL_MS)
    const sent = { message, destination: admin.email, deliveryId: randomUUID(), signal }
    const answer = await email.send(sent)
    if (answer.kind !== 'accepted') log.warn('notice-not-mailed', { reason: answer.excerpt })
  }
}
