import { findEvaluationStopped } from '#bff/alerts/evaluate-changes.ts'
import { readFilterFaults } from '#bff/alerts/filter-faults.ts'
import { readActiveProfiles } from '#bff/notify/profile-queries.ts'
import type { SearchContext } from '#bff/store/read-search.ts'
import type { AlertProblemKind } from '#contract/bff/alert-health.ts'
import type { Database } from '#database/database.ts'
import { isOfServer, nameCause, remedyOf } from '#delivery/destination-health.ts'
import { type LedgerAccess, readLedgerTime } from '#delivery/ledger-access.ts'
import { formatTime } from '#delivery/messages/format-text.ts'
import { findStoppedSince, listTroubles, type Trouble } from '#delivery/trouble-queries.ts'
import type { AlertProblem } from './describe-problem.ts'
import {
  type AffectedProfile,
  listStoppedProfiles,
  listUnopenable,
  listUnwrittenProfiles,
  readProfilesOf,
} from './problem-queries.ts'

export type ProblemDependencies = {
  searchContext: SearchContext
  access: LedgerAccess
  /** Sealed recipients that were decrypted before. These are not decrypted again. */
  openedSeals: Set<string>
}

/** Why the mail server cannot be used, as found when Lantern started. */
export type MailFault = { why: string | null; since: Date } | null

/** Lists everything that keeps alerts from being evaluated, sent or accepted now. It needs no API call. */
export async function listProblems(
  db: Database,
  { access, openedSeals, searchContext }: ProblemDependencies,
  mailFault: MailFault,
): Promise<AlertProblem[]> {
  const { secret } = access
  const now = await readLedgerTime(db, access)
  const stoppedSince = await findStoppedSince(db, now)
  const notEvaluatedSince = await findEvaluationStopped(db, now)
  const troubles = (await listTroubles(db, now)).filter(
    // If no worker runs, the destination of a waiting message is not at fault.
    ({ fault }) => fault !== null || stoppedSince === null,
  )
  const profilesOf = await readProfilesOf(db, troubles, secret)
  const unopenable = await listUnopenable(db, secret, openedSeals)
  const problems = groupTroubles(troubles, profilesOf)
  if (mailFault) addMailFault(problems, mailFault)
  return [
    ...(notEvaluatedSince ? [evaluationStopped(notEvaluatedSince)] : []),
    ...(stoppedSince ? [problemOf('worker-stopped', 'workerStopped', { since: stoppedSince })] : []),
    ...problems.values(),
    ...(unopenable.length > 0
      ? [problemOf('unopenable', 'unopenable', { remedy: remedyOf('secret', null), affected: unopenable })]
      : []),
    ...(await listNotEvaluated(db, now, searchContext)),
    ...(await listUnwrittenProfiles(db, now)).map(({ profile, since }) =>
      problemOf(`unwritten ${profile.id}`, 'unwritten', {
        since,
        affected: [{ label: null, profiles: [profile] }],
      }),
    ),
  ]
}

/** The key of the problem that the mail server cannot be used. */
export const MAIL_KEY = 'mail-server'

type Problems = Map<string, AlertProblem>

/** Groups the destinations that fail because of the same server fault into one problem. */
function groupTroubles(
  troubles: readonly Trouble[],
  profilesOf: Awaited<ReturnType<typeof readProfilesOf>>,
): Problems {
  const problems: Problems = new Map()
  for (const trouble of troubles) {
    const profiles = profilesOf(trouble.destinationId)
    // The destination was removed from all profiles, so its messages are not missed.
    if (profiles === null) continue
    const { channel, masked: label, line, kind, since, fault, retriesAt } = trouble
    const cause = fault && nameCause(channel, fault)
    const isServer = kind !== 'ended' && (cause === null || isOfServer(cause))
    const isMail = isServer && channel === 'email' && kind === 'unreached'
    const key = isMail ? MAIL_KEY : `${kind} ${isServer ? line : trouble.destinationId}`
    const known = problems.get(key)
    problems.set(key, {
      key,
      kind: isMail ? 'mailServer' : kind,
      where: isServer ? serverOf(trouble) : { channel, name: label, isServer: false },
      since: known?.since && known.since < since ? known.since : since,
      why: fault && describeFault(fault),
      remedy: cause && kind !== 'unclear' && kind !== 'ended' ? remedyOf(cause, retriesAt) : null,
      affected: [...(known?.affected ?? []), { label, profiles }],
    })
  }
  return problems
}

function serverOf({ channel, masked }: Trouble): AlertProblem['where'] {
  return { channel, name: masked.split('/')[0] ?? masked, isServer: true }
}

function describeFault({ code, excerpt }: NonNullable<Trouble['fault']>): string {
  if (code === null) return excerpt.replace(/\.$/, '')
  return excerpt === '' ? code : `${code} “${excerpt}”`
}

function addMailFault(problems: Problems, { why, since }: NonNullable<MailFault>): void {
  const remedy = 'Correct SMTP_URL, or repair the mail server that it names.'
  const affected = problems.get(MAIL_KEY)?.affected ?? []
  problems.set(MAIL_KEY, problemOf(MAIL_KEY, 'mailServer', { why, since, remedy, affected }))
}

/** Creates a problem that concerns no destination. */
function problemOf(key: string, kind: AlertProblemKind, known: Partial<AlertProblem>): AlertProblem {
  return { key, kind, where: null, since: null, why: null, remedy: null, affected: [], ...known }
}

/** A failed write detects this problem; no stored row shows it. */
export const READ_ONLY = problemOf('read-only', 'readOnly', {})

function evaluationStopped(since: Date): AlertProblem {
  const why = `Alerts are not evaluated since ${formatTime(since)}, though records have changed`
  return problemOf('evaluation-stopped', 'evaluationStopped', { since, why })
}

/** Lists profiles whose search is no longer valid, and profiles whose evaluation has stopped. */
async function listNotEvaluated(db: Database, now: Date, context: SearchContext): Promise<AlertProblem[]> {
  const problems = new Map<string, AlertProblem>()
  for (const { profile, since } of await listStoppedProfiles(db, now))
    problems.set(profile.id, notEvaluated(profile, since, null))
  for (const stored of await readActiveProfiles(db)) {
    const faults = await readFilterFaults(context, stored).catch(() => undefined)
    if (!faults) continue
    const { id, name, accountId: ownerId } = stored
    const since = problems.get(id)?.since ?? null
    problems.set(id, notEvaluated({ id, name, ownerId, isTeam: false }, since, faults.join(' ')))
  }
  return [...problems.values()]
}

function notEvaluated(profile: AffectedProfile, since: Date | null, why: string | null): AlertProblem {
  const action =
    why === null
      ? 'Lantern tries again every few seconds. Its log has the line “alert-profile-not-evaluated”.'
      : 'Edit its search.'
  const remedy = `${action} Then it sends what it missed in the last 30 days.`
  const affected = [{ label: null, profiles: [profile] }]
  return problemOf(`not-evaluated ${profile.id}`, 'notEvaluated', { since, why, remedy, affected })
}
