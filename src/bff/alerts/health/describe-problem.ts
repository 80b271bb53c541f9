import type { AlertProblemKind, ShownProblem } from '#contract/bff/alert-health.ts'
import type { DeliveryState } from '#contract/delivery.ts'
import type { AffectedProfile } from './problem-queries.ts'

/** A problem that keeps alerts from reaching people. */
export type AlertProblem = {
  /** The key is the same as long as the problem lasts. */
  key: string
  kind: AlertProblemKind
  /** The destination, or the server of several destinations. Null if the problem concerns neither. */
  where: { channel: string; name: string; isServer: boolean } | null
  since: Date | null
  why: string | null
  remedy: string | null
  /** Affected destinations with their profiles. An entry without a destination has only profiles. */
  affected: readonly { label: string | null; profiles: readonly AffectedProfile[] }[]
}

/** The person who reads the problem. Admins see all profiles. */
export type ProblemReader = { isAdmin: boolean; canSee(profile: AffectedProfile): boolean }

type Kind = {
  /** The problem concerns Lantern as a whole, so everybody sees it. */
  isOfAll?: true
  /** The reason, if the problem itself has none. */
  why?: string
  /** The remedy, if the cause of the fault has none. */
  remedy?: string
  /** The ledger shows the affected messages in this state. */
  state?: DeliveryState
  /** The text of the notice when the problem is over. */
  over: string
}

export const KINDS: Readonly<Record<AlertProblemKind, Kind>> = {
  unreached: {
    why: 'Messages wait for more than 10 minutes.',
    remedy: 'Check that its server answers in time.',
    state: 'retrying',
    over: 'No message waits for long any more.',
  },
  failed: {
    remedy: 'Send them again in Deliveries.',
    state: 'failed',
    over: 'Later messages have arrived, or no failed one is left. Send failed ones again in Deliveries.',
  },
  unclear: {
    why: 'No answer came after a message was sent.',
    remedy: 'Check whether they arrived. If not, send them again in Deliveries.',
    state: 'unclear',
    over: 'Later messages have arrived, or no unclear one is left.',
  },
  ended: {
    why: 'It answered 410: nothing more is sent to it.',
    remedy: 'Press Test once it accepts messages again.',
    over: 'It accepts messages again, or no profile has it any more.',
  },
  unopenable: {
    why: 'They were entered under another SECRET: nothing is sent to them.',
    over: 'All recipients can be read.',
  },
  notEvaluated: { over: 'It is evaluated again, was paused or deleted.' },
  unwritten: {
    why: 'Lantern failed to write its digest, its waiting matches or its weekly test.',
    remedy: 'Lantern tries again every few minutes. Its log has the line “alert-profile-not-sent”.',
    over: 'Its messages are written again, or it was paused or deleted. What waited is sent.',
  },
  evaluationStopped: {
    isOfAll: true,
    remedy: 'Restart Lantern. Its log has the line “alerts-not-evaluated”.',
    over: 'Alerts are evaluated again. What has matched meanwhile is sent.',
  },
  mailServer: {
    isOfAll: true,
    remedy: 'Check that the mail server of SMTP_URL answers in time.',
    state: 'retrying',
    over: 'The mail server of SMTP_URL can be used. What waits is tried again by itself.',
  },
  workerStopped: {
    isOfAll: true,
    why: 'Messages are due for more than 3 minutes, and no process takes them.',
    remedy: 'Restart Lantern. Its log has the lines “delivery-failed”.',
    state: 'queued',
    over: 'Messages are sent again.',
  },
  readOnly: {
    isOfAll: true,
    why: 'It is full or read-only. Nothing new is stored and no alert is sent until it takes writes again.',
    remedy: 'Free disk space for PostgreSQL.',
    over: 'It takes writes again.',
  },
}

const NAMED_MAX = 5

/**
 * Describes a problem for one reader, without profiles that the reader may not see. Returns null if it does not concern
 * them.
 */
export function describeProblem(
  problem: AlertProblem,
  { isAdmin, canSee }: ProblemReader,
): ShownProblem | null {
  const affected = problem.affected.flatMap(({ label, profiles }) => {
    const seen = profiles.filter((profile) => isAdmin || canSee(profile))
    return seen.length > 0 || isAdmin ? [{ label, profiles: seen }] : []
  })
  const { kind, since, why, remedy } = problem
  const words = KINDS[kind]
  if (affected.length === 0 && !words.isOfAll) return null
  const profiles = [...new Map(affected.flatMap((one) => one.profiles).map((one) => [one.id, one])).values()]
  const sentences = [
    why === null ? (words.why ?? '') : `${why}.`.replace(/([.?!])\.$/, '$1'),
    kind === 'notEvaluated' ? 'Nothing is sent for it.' : nameRecipients(affected),
    remedy ?? words.remedy ?? '',
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
  const messages = where?.channel === 'email' && where.isServer ? 'Email' : `Messages to ${where?.name}`
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
    case 'unwritten':
      return `The alert profile “${affected[0]?.profiles[0]?.name}” cannot send its messages`
    case 'evaluationStopped':
      return 'Alerts are not evaluated'
    case 'mailServer':
      return 'Lantern cannot send email'
    case 'workerStopped':
      return 'Lantern sends no messages'
    case 'readOnly':
      return 'Lantern’s database takes no writes'
  }
}

function nameRecipients(affected: AlertProblem['affected']): string {
  const labelled = affected.filter(({ label }) => label !== null)
  if (labelled.length === 0) return ''
  const named = labelled.slice(0, NAMED_MAX).map(({ label, profiles }) => {
    const names = profiles.slice(0, NAMED_MAX).map(({ name }) => name)
    const more = profiles.length > NAMED_MAX ? ` and ${profiles.length - NAMED_MAX} more` : ''
    return names.length === 0 ? label : `${label} (${names.join(', ')}${more})`
  })
  const more = labelled.length > NAMED_MAX ? `; ${labelled.length - NAMED_MAX} more` : ''
  return `Recipients: ${named.join('; ')}${more}.`
}

/** Returns the page where the problem is seen or solved. */
function pathOf(kind: AlertProblemKind, [profile, ...others]: readonly AffectedProfile[]): string {
  const { state } = KINDS[kind]
  if (state !== undefined) return `/alerts/deliveries?state=${state}`
  if (kind === 'readOnly') return '/settings'
  return profile && others.length === 0 ? `/alerts?profile=${encodeURIComponent(profile.id)}` : '/alerts'
}
