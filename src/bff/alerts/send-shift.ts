import { ringBells } from '#bff/notify/inbox-queries.ts'
import { pathToFeed } from '#bff/notify/link-to-matches.ts'
import { type StoredProfile, setClaimsUntil, setNextDigest } from '#bff/notify/profile-queries.ts'
import type { ShiftScope } from '#bff/store/read-shift.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Shift } from '#contract/bff/shift.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { writeMentions } from '#contract/bff/triage.ts'
import { closeReason, type TriageState } from '#contract/bff/triage-state.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { listUndelivered } from '#delivery/digest-queries.ts'
import { enqueueDigest } from '#delivery/enqueue.ts'
import type { Report } from '#delivery/message.ts'
import { formatCount, formatMoment, formatNumber } from '#delivery/messages/describe-digest.ts'
import { createMessageModel } from '#delivery/messages/message-model.ts'
import { type Sending, toSender } from './lantern-profiles.ts'

/**
 * The due time of a digest. `readUpTo` is the time to which the vendor's list was read; null if it was read to the end.
 */
export type DigestPeriod = { now: Date; dueAt: Date; readUpTo: Date | null }

export type ReadShift = (scope: ShiftScope) => Promise<Shift>

const LINES_MAX_COUNT = 10
/** The limits of the plain text for earlier versions of Lantern, which send no reports. */
const PLAIN_SPACE = { threats: 3, textLength: 150 }

/**
 * Sends the Shift page to the users among the recipients. It covers the time since the previous digest, or 24 hours.
 */
export async function sendShift(
  tx: Database,
  profile: StoredProfile,
  { now, dueAt, readUpTo }: DigestPeriod,
  { readShift, ...sending }: Sending & { readShift: ReadShift },
): Promise<void> {
  const { accountId, timeZone } = profile
  const { cause, readRecipients } = toSender(profile, sending)
  const before = await setNextDigest(tx, profile, now)
  const since = (before ?? firstSince(profile, dueAt)).toISOString()
  const { audiences, accountIds } = await readRecipients(tx)
  // Only the owner may see the owner's private lists.
  const isOnlyOwner = accountIds.every((id) => id === accountId)
  const claimsEnd = dueAt.toISOString()
  const shift = await readShift({
    since,
    accountId: isOnlyOwner ? accountId : null,
    claims: { since: profile.claimsUntil, until: claimsEnd },
  })
  const claims = { since, until: claimsEnd, ...shift.added.filter }
  await setClaimsUntil(tx, profile, claims.until)
  const staleReason = claims.until < claimsEnd ? staleReasonOf(shift) : null
  // The link has one start time, which all sections of the page share.
  const path = `/shift?${new URLSearchParams({ since: claims.since < since ? claims.since : since })}`
  const { undelivered } = await listUndelivered(tx, profile.id, new Date(since))
  const report: Report = {
    causes: [cause],
    since,
    until: now.toISOString(),
    timeZone,
    readUpTo: readUpTo === null ? null : readUpTo.toISOString(),
    ...(staleReason !== null && readUpTo === null && { staleReason }),
    claims: { since: claims.since, until: claims.until },
    undelivered,
    sum: sumOf(shift, staleReason !== null),
    parts: partsOf(shift, { origin: sending.origin, timeZone, isStale: staleReason !== null }),
  }
  // Shift goes to users only. An address without an account gets nothing, even if somebody added it.
  const destinationIds = audiences.flatMap((one) => (one.accountId === null ? [] : one.destinationIds))
  const content = { kind: 'notice', ...inPlainWords(report), link: sending.origin + path, report } as const
  await enqueueDigest(tx, { dueAt, cause, content, matches: [], destinationIds }, sending.access)
  const detail = `Shift since ${formatMoment(since, timeZone)}`
  await ringBells(tx, accountIds, { kind: 'matches', title: `${profile.name}: ${report.sum}`, detail, path })
}

/** The start of the first digest. An earlier version of Lantern may have deleted the time of the previous one. */
function firstSince({ schedule, createdAt }: StoredProfile, dueAt: Date): Date {
  const weekAgo = new Date(dueAt.getTime() - 7 * DAY_MS)
  const isWeek = schedule.kind === 'weekly' && new Date(createdAt) <= weekAgo
  return isWeek ? weekAgo : new Date(dueAt.getTime() - DAY_MS)
}

/** Returns why claims may be missing; null if the stored ones are current. */
function staleReasonOf({ freshness }: Shift): string | null {
  return freshness?.isStale ? freshness.staleReason : null
}

function sumOf({ added, overdue, closed, comments }: Shift, isStale: boolean): string {
  const figures = [
    ...(added.cases === 0 ? [] : [`${countCases(added.cases)} with new claims`]),
    ...(overdue.cases === 0 ? [] : [`${formatCount(overdue.cases)} overdue`]),
    ...(closed.cases === 0 ? [] : [`${formatCount(closed.cases)} closed`]),
    ...(comments.count === 0 ? [] : [formatNumber(comments.count, 'comment')]),
  ]
  if (figures.length > 0) return figures.join(', ')
  return isStale ? 'Nothing new was read, no case overdue' : 'Nothing new, no case overdue'
}

type Part = Report['parts'][number]
type Line = Part['lines'][number]
/** `isStale`: claims may be missing. */
type Place = { origin: string; timeZone: string; isStale: boolean }

/** Returns the sections of the digest, in the order of the page. */
function partsOf({ lists, overdue, added, closed, open, owners, comments }: Shift, place: Place): Part[] {
  const { origin, timeZone } = place
  const states = new Map(overdue.states.map((state) => [state.id, state]))
  const countedLine = (name: string, { cases, filter }: Shift['open']): Line => ({
    severity: null,
    title: `${name}: ${countCases(cases)}`,
    link: origin + pathToFeed(filter),
    facts: [],
  })
  const parts: Part[] = [
    {
      title: 'Concerns us',
      figure: formatNumber(lists.length, 'list'),
      count: lists.length,
      empty: 'No new claim matches a list.',
      lines: lists.map((list) => countedLine(list.name, list)),
    },
    {
      title: 'Overdue',
      figure: countCases(overdue.cases),
      count: overdue.cases,
      empty: 'No case is overdue.',
      lines: overdue.newest.map((threat) => {
        const line = claimLine(threat, place)
        return { ...line, facts: [...line.facts, ...dueFacts(states.get(threat.id), place)] }
      }),
    },
    {
      title: 'Cases with new claims',
      figure: countCases(added.cases),
      count: added.cases,
      empty: place.isStale ? 'Lantern has read no new claim.' : 'There is no new claim.',
      lines: added.newest.map((threat) => claimLine(threat, place)),
    },
    {
      title: 'Closed',
      figure: countCases(closed.cases),
      count: closed.cases,
      empty: 'Nobody closed a case.',
      lines: closed.newest.map(({ threat, at, who, reason, text }) => ({
        ...lineOf(threat, origin),
        facts: [
          { label: 'Reason', value: closeReason(reason) },
          { label: 'By', value: who },
          { label: 'Closed', value: formatMoment(at, timeZone) },
          ...(text === null ? [] : [{ label: 'Comment', value: text }]),
        ],
      })),
    },
    {
      title: 'Open by owner',
      figure: `${countCases(open.cases)} in ${formatNumber(owners.length, 'group')}`,
      count: owners.length,
      empty: 'No case is open.',
      lines: owners.map((owner) => countedLine(owner.name ?? 'Nobody', owner)),
    },
    {
      title: 'Comments',
      figure: formatNumber(comments.count, 'comment'),
      count: comments.count,
      empty: 'Nobody wrote a comment.',
      lines: comments.newest.map(({ threat, at, who, text, mentions }) => ({
        ...lineOf(threat, origin),
        facts: [
          { label: 'By', value: who },
          { label: 'Written', value: formatMoment(at, timeZone) },
          { label: 'Comment', value: writeMentions(text ?? '', mentions).text },
        ],
      })),
    },
  ]
  return parts.map((part) => ({ ...part, lines: part.lines.slice(0, LINES_MAX_COUNT) }))
}

function claimLine(threat: Threat, { origin, timeZone }: Place): Line {
  const { severity, actors, publishedAt } = threat
  return {
    ...lineOf(threat, origin),
    severity: severity?.toLowerCase() ?? null,
    facts: [
      ...(actors.length === 0 ? [] : [{ label: 'Actor', value: actors.join(', ') }]),
      ...(publishedAt === null ? [] : [{ label: 'Published', value: formatMoment(publishedAt, timeZone) }]),
    ],
  }
}

function dueFacts(state: TriageState | undefined, { timeZone }: Place): Line['facts'] {
  const { due, owner } = state ?? {}
  return [
    ...(due ? [{ label: 'Due', value: formatMoment(due.at, timeZone) }] : []),
    { label: 'Owner', value: owner?.name ?? 'Nobody' },
  ]
}

function lineOf({ id, title }: Threat, origin: string): Line {
  return {
    severity: null,
    title: title ?? 'Untitled threat',
    link: `${origin}/threats/${pathSegment(id)}`,
    facts: [],
  }
}

/** Writes the report as a plain notice, for earlier versions of Lantern that cannot send reports. */
function inPlainWords(report: Report): { subject: string; text: string } {
  const message = { kind: 'notice', subject: '', text: '', link: '', report } as const
  const { heading, paragraphs, threats } = createMessageModel(message, PLAIN_SPACE)
  const lines = threats.flatMap(({ section, title, facts }) => [
    ...(section === null ? [] : [section]),
    [title, ...facts.map(({ label, value }) => `${label}: ${value}`)].join(' · '),
  ])
  const name = report.causes[0]?.name ?? ''
  return { subject: `${name}: ${heading}`, text: [...paragraphs, ...lines].join('\n') }
}

function countCases(count: number): string {
  return formatNumber(count, 'case')
}
