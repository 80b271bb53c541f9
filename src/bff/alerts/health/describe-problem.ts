import type { AlertProblemKind, ShownProblem } from '#contract/bff/alert-health.ts'
import type { AffectedProfile } from './problem-queries.ts'

/** Something that keeps alerts from people. */
export type AlertProblem = {
  /** Names it for as long as it lasts. */
  key: string
  kind: AlertProblemKind
  /** The destination, or the server of several; null of what concerns neither. */
  where: { channel: string; name: string; isServer: boolean } | null
  since: Date | null
  why: string | null
  remedy: string | null
  /** Destinations as they are shown, with the profiles that have them; one without a destination is a profile. */
  affected: readonly { label: string | null; profiles: readonly AffectedProfile[] }[]
}

/** The reader decides what is shown: an admin sees all profiles. */
export type ProblemReader = { isAdmin: boolean; canSee(profile: AffectedProfile): boolean }

/** Lantern itself, which concerns everybody. */
const OF_ALL: ReadonlySet<AlertProblemKind> = new Set([
  'mailServer',
  'evaluationStopped',
  'workerStopped',
  'readOnly',
])
const NAMED_MAX = 5

/** A problem for one reader, with no profile that they may not see; null where it does not concern them. */
export function describeProblem(
  problem: AlertProblem,
  { isAdmin, canSee }: ProblemReader,
): ShownProblem | null {
  const affected = problem.affected.flatMap(({ label, profiles }) => {
    const seen = profiles.filter((profile) => isAdmin || canSee(profile))
    return seen.length > 0 || isAdmin ? [{ label, profiles: seen }] : []
  })
  if (affected.length === 0 && !OF_ALL.has(problem.kind)) return null
  const { kind, since, why, remedy } = problem
  const profiles = [...new Map(affected.flatMap((one) => one.profiles).map((one) => [one.id, one])).values()]
  const sentences = [
    why === null ? EXPLAINED[kind] : `${why}.`.replace(/([.?!])\.$/, '$1'),
    kind === 'notEvaluated' ? 'Nothing is sent for it.' : sayRecipients(affected),
    remedy ?? REMEDIES[kind],
  ]
  return {
    kind,
    since: since?.toISOString() ?? null,
    subject: subjectOf(problem),
    text: sentences.filter((sentence) => sentence !== '').join(' '),
    path: pathOf(kind, profiles),
  }
}

function subjectOf({ kind, where, affected }: AlertProblem): string {
  const messages = where?.channel === 'email' && where.isServer ? 'E-mail' : `Messages to ${where?.name}`
  switch (kind) {
    case 'unreached':
      return `${messages}: not delivered`
    case 'failed':
      return `${messages}: failed`
    case 'unclear':
      return `${messages}: may not have arrived`
    case 'ended':
      return `${where?.name} has ended`
    case 'unopenable':
      return 'Recipients cannot be read'
    case 'notEvaluated':
      return `The alert profile “${affected[0]?.profiles[0]?.name}” is not evaluated`
    case 'evaluationStopped':
      return 'Alerts are not evaluated'
    case 'mailServer':
      return 'Lantern cannot send e-mail'
    case 'workerStopped':
      return 'Lantern sends no messages'
    case 'readOnly':
      return 'Lantern’s database takes no writes'
  }
}

const EXPLAINED: Readonly<Record<AlertProblemKind, string>> = {
  unreached: 'Messages wait for more than 10 minutes.',
  failed: '',
  unclear: 'No answer came after a message was sent.',
  ended: 'It answered 410: nothing more is sent to it.',
  unopenable: 'They were entered under another SECRET: nothing is sent to them.',
  notEvaluated: '',
  evaluationStopped: '',
  mailServer: '',
  workerStopped: 'Messages are due for more than 3 minutes, and no process takes them.',
  readOnly:
    'It is full or read-only. Nothing new is stored and no alert is sent until it takes writes again.',
}

/** These apply if the cause has no remedy of its own. */
const REMEDIES: Readonly<Record<AlertProblemKind, string>> = {
  unreached: 'Check that its server answers in time.',
  failed: 'Send them again in Deliveries.',
  unclear: 'Check whether they arrived. If not, send them again in Deliveries.',
  ended: 'Press Test once it accepts messages again.',
  unopenable: '',
  notEvaluated: '',
  evaluationStopped: 'Restart Lantern. Its log has the line “alerts-not-evaluated”.',
  mailServer: 'Check that the mail server of SMTP_URL answers in time.',
  workerStopped: '',
  readOnly: 'Free disk space for PostgreSQL.',
}

function sayRecipients(affected: AlertProblem['affected']): string {
  if (affected.length === 0) return ''
  const named = affected.slice(0, NAMED_MAX).map(({ label, profiles }) => {
    const names = profiles.slice(0, NAMED_MAX).map(({ name }) => name)
    const more = profiles.length > NAMED_MAX ? ` and ${profiles.length - NAMED_MAX} more` : ''
    return names.length === 0 ? label : `${label} (${names.join(', ')}${more})`
  })
  const more = affected.length > NAMED_MAX ? `; ${affected.length - NAMED_MAX} more` : ''
  return `Recipients: ${named.join('; ')}${more}.`
}

const STATES: Partial<Record<AlertProblemKind, string>> = {
  unreached: 'retrying',
  failed: 'failed',
  unclear: 'unclear',
  mailServer: 'retrying',
  workerStopped: 'queued',
}

/** Returns the page where the problem is seen or solved. */
function pathOf(kind: AlertProblemKind, [profile, ...others]: readonly AffectedProfile[]): string {
  const state = STATES[kind]
  if (state !== undefined) return `/alerts/deliveries?state=${state}`
  if (kind === 'readOnly') return '/settings'
  return profile && others.length === 0 ? `/alerts?profile=${encodeURIComponent(profile.id)}` : '/alerts'
}
