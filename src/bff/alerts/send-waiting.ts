import * as z from 'zod/mini'
import type { Log } from '#bff/http/log.ts'
import { ringBells } from '#bff/notify/inbox-queries.ts'
import { pathToFeed } from '#bff/notify/link-to-matches.ts'
import { findProfile, type StoredProfile, setDigestDue, setNextDigest } from '#bff/notify/profile-queries.ts'
import { readCaseIds } from '#bff/store/cases/claim-queries.ts'
import { readSyncState } from '#bff/store/sync/sync-state.ts'
import { isQuiet, startBefore } from '#bff/time/schedule.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { SEVERITIES } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { readRow, readRows } from '#database/read-rows.ts'
import { listUndelivered } from '#delivery/digest-queries.ts'
import { enqueueDigest, type NewMatch } from '#delivery/enqueue.ts'
import { readLedgerTime } from '#delivery/ledger-access.ts'
import { type Digest, notifiedThreatSchema } from '#delivery/message.ts'
import { countInWords, describeNoMatches } from '#delivery/messages/describe-digest.ts'
import { LINK_MAX_LENGTH } from '#delivery/messages/message-model.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { addConcerns } from './audiences.ts'
import { groupByCase } from './digest-cases.ts'
import { type Sending, toSender } from './lantern-profiles.ts'
import { muteWaiting } from './read-mutes.ts'
import { runForProfiles } from './run-for-profiles.ts'
import { sendMatches } from './send-matches.ts'
import { type DigestPeriod, type ReadShift, sendShift } from './send-shift.ts'

const TOP_COUNT = 10
/** A digest waits at most this long until the vendor's list is read up to its due time. */
const PATIENCE_MS = HOUR_MS / 4

/** `runningMs`: how long this process has been evaluating. */
type SendingDependencies = Sending & { runningMs: number; readShift: ReadShift; log: Log }

const IS_DUE = `
  coalesce(digest_due <= $1, shift_schedule is not null or exists (
    select from alert_match where profile_id = profile.id::text and state = 'waiting'))
  and not exists (select from alert_evaluation where profile_id = profile.id::text and stopped_at is not null)`

/**
 * Sends due digests, and matches whose quiet hours are over. The profile's transaction claims its matches and schedules
 * its next digest.
 */
export async function sendWaiting(database: Database, dependencies: SendingDependencies): Promise<void> {
  const { access, log } = dependencies
  await runForProfiles(database, { job: 'waiting', isDue: IS_DUE, access, log }, (tx, id) =>
    sendOfProfile(tx, id, dependencies),
  )
}

async function sendOfProfile(tx: Database, id: string, dependencies: SendingDependencies): Promise<void> {
  const { access, runningMs } = dependencies
  const now = await readLedgerTime(tx, access)
  await tx.query('select from alert_profile where id = $1 for no key update', [id])
  const profile = await findProfile(tx, id, null)
  if (!profile || profile.state === 'paused') return
  const { schedule, timeZone, isShift, nextDigestAt } = profile
  if (schedule.kind === 'atOnce') {
    if (schedule.quiet !== null && isQuiet(schedule.quiet, timeZone, now.getTime())) return
    await sendMatches(tx, toSender(profile, dependencies), await takeWaiting(tx, id, now), access)
    return
  }
  // An earlier version of Lantern, without Shift digests, resumed the profile and set no due time.
  if (nextDigestAt === null) return setDigestDue(tx, profile, now.getTime())
  if (Date.parse(nextDigestAt) > now.getTime()) return
  const dueAt = new Date(nextDigestAt)
  const readUpTo = await readLastRead(tx)
  const isBehind = readUpTo === null || readUpTo < dueAt
  const mayWait = Math.min(runningMs, now.getTime() - dueAt.getTime()) < PATIENCE_MS
  if (isBehind && mayWait) return
  const period = { now, dueAt, readUpTo: isBehind ? readUpTo : null }
  if (!isShift) return sendDigest(tx, profile, period, dependencies)
  // The profile sent matches before, and some still wait. The Shift page does not list them, so they are sent as
  // matches.
  const sender = { ...toSender(profile, dependencies), path: `/alerts?profile=${id}` }
  await sendMatches(tx, sender, await takeWaiting(tx, id, now), access)
  await sendShift(tx, profile, period, dependencies)
}

/** Returns when the vendor's list was last read to its end; null if it is not. */
async function readLastRead(tx: Database): Promise<Date | null> {
  const state = await readSyncState(tx)
  return state.status === 'complete' ? new Date(state.lastReadAt) : null
}

const waitingSchema = z.object({ event: z.string(), threat: notifiedThreatSchema })

/** Claims the waiting matches that are not muted: the most severe first, then the newest. */
async function takeWaiting(tx: Database, profileId: string, now: Date): Promise<NewMatch[]> {
  await muteWaiting(tx, profileId, now)
  return readRows(tx, waitingSchema, [profileId, SEVERITIES])`
    with waiting as (
      select threat_id as id, is_critical, threat from alert_match
       where profile_id = $1 and state = 'waiting' for update),
    taken as (
      update alert_match set state = 'enqueued', threat = null from waiting
       where profile_id = $1 and threat_id = waiting.id)
    select coalesce(threat ->> 'event', case when is_critical then 'critical:' else 'threat:' end || id) as event, threat
      from waiting
     order by array_position($2::text[], threat ->> 'severity') nulls last,
              threat ->> 'publishedAt' desc nulls last, id`
}

async function sendDigest(
  tx: Database,
  profile: StoredProfile,
  { now, dueAt, readUpTo }: DigestPeriod,
  sending: SendingDependencies,
): Promise<void> {
  const { access, origin } = sending
  const { cause, path, readRecipients } = toSender(profile, sending)
  const since = (await setNextDigest(tx, profile, now)) ?? now
  const matches = await takeWaiting(tx, profile.id, now)
  const threats = matches.map(({ threat }) => threat)
  const unsent = await listUnsent(tx, profile.id, since, now)
  const caseIds = await readCaseIds(
    tx,
    threats.map(({ id }) => id),
  )
  const cases = groupByCase(threats, caseIds)
  // The link names one claim of each case, so that the feed shows the same number of cases.
  const exact = exactly(threats, origin) ?? exactly(cases, origin)
  const link = pathToFeed(
    exact ?? about(profile.filter, { threats, unsent: unsent.map(({ id }) => id), since, until: now }),
  )
  const previous = await countBefore(tx, profile, { since, until: now })
  const content: Omit<Digest, 'threats' | 'concernCount' | 'cases'> = {
    kind: 'digest',
    causes: [cause],
    since: since.toISOString(),
    until: now.toISOString(),
    timeZone: profile.timeZone,
    count: matches.length,
    previousCount: previous?.claims ?? null,
    severities: countSeverities(threats),
    ...(await listUndelivered(tx, profile.id, since)),
    mutedCount: countOf(unsent, 'muted'),
    repeatedCount: countOf(unsent, 'repeated'),
    readUpTo: readUpTo === null ? null : readUpTo.toISOString(),
    link: origin + link,
    isLinkExact: exact !== null,
  }
  const { audiences, accountIds } = await readRecipients(tx)
  for (const audience of audiences) {
    const { destinationIds } = audience
    const known = await addConcerns(tx, audience, threats)
    const claimTop = topOf(known)
    const caseTop = topOf(groupByCase(known, caseIds))
    const own = {
      ...content,
      threats: claimTop.top,
      concernCount: claimTop.concernCount,
      cases: {
        count: cases.length,
        previousCount: previous?.cases ?? null,
        severities: countSeverities(cases),
        concernCount: caseTop.concernCount,
        newest: caseTop.top,
      },
    }
    await enqueueDigest(tx, { dueAt, cause, content: own, matches, destinationIds }, access)
  }
  const title = `Digest of ${profile.name}: ${countInWords({ count: matches.length, cases: { count: cases.length } })}`
  const detail = threats[0]?.title ?? `${describeNoMatches(content)}.`
  await ringBells(tx, accountIds, {
    kind: 'matches',
    title,
    detail,
    path: matches.length === 0 ? path : link,
  })
}

/** Sorts threats that match the receiver's lists first. The order within both groups stays. */
function topOf<Known extends Digest['threats'][number]>(threats: readonly Known[]) {
  const concerning = threats.filter(({ concerns }) => concerns)
  const top = [...concerning, ...threats.filter(({ concerns }) => !concerns)].slice(0, TOP_COUNT)
  return { top, concernCount: concerning.length }
}

/** A search has at most 50 words and values. */
const IDS_MAX_COUNT = 40

/** Returns a search that finds exactly these threats. Null if there are none, or too many for a search or a link. */
function exactly(threats: Digest['threats'], origin: string): ThreatFilter | null {
  if (threats.length === 0 || threats.length > IDS_MAX_COUNT) return null
  const q = `id:${threats.map(({ id }) => writeValue(id)).join(',')}`
  const isLink = (origin + pathToFeed({ q })).length <= LINK_MAX_LENGTH
  return isLink && parseQuery(q).faults.length === 0 ? { q } : null
}

type About = { threats: Digest['threats']; unsent: readonly string[]; since: Date; until: Date }

/**
 * Returns the profile's search for the period of these threats. It excludes threats that were not sent if these are
 * few. It can find other threats as well.
 */
function about(
  { within: _within, from: _from, to: _to, q, ...filter }: ThreatFilter,
  { threats, unsent, since, until }: About,
): ThreatFilter {
  const search = { ...filter, q: withoutIds(q, unsent) }
  const dates = threats.map(({ publishedAt }) =>
    publishedAt === null ? Number.NaN : Date.parse(publishedAt),
  )
  const [first, last] =
    dates.length === 0 ? [since.getTime(), until.getTime()] : [Math.min(...dates), Math.max(...dates) + 1]
  if (Number.isNaN(first)) return search
  return { ...search, since: new Date(first).toISOString(), until: new Date(last).toISOString() }
}

/** Returns a search that excludes some records, or the search itself if the result is too long. */
function withoutIds(q: string | undefined, ids: readonly string[]): string | undefined {
  if (ids.length === 0) return q
  const excluded = ids.slice(0, IDS_MAX_COUNT).map((id) => writeValue(id))
  const { tree } = parseQuery(q ?? '')
  const found = tree?.kind === 'or' ? `(${q})` : q
  const written = [found, `-id:${excluded.join(',')}`].join(' ').trim()
  return parseQuery(written).faults.length === 0 ? written : q
}

const countSchema = z.object({ claims: z.int(), cases: z.int() })
type Counts = z.infer<typeof countSchema>

/**
 * Counts the matches of the previous period of the same length, by their present cases. Null if the profile did not
 * exist then.
 */
async function countBefore(
  tx: Database,
  { id, createdAt, timeZone }: StoredProfile,
  { since, until }: { since: Date; until: Date },
): Promise<Counts | null> {
  const from = new Date(startBefore(since.getTime(), until.getTime(), timeZone))
  if (Date.parse(createdAt) > from.getTime()) return null
  return readRow(tx, countSchema, [id, from, since])`
    select count(*) as claims, count(distinct case_id) + count(*) filter (where case_id is null) as cases
      from alert_match matched left join case_claim claim on claim.threat_id = matched.threat_id
     where profile_id = $1 and state = 'enqueued' and at >= $2 and at < $3`
}

const unsentSchema = z.object({ id: z.string(), state: z.enum(['muted', 'repeated']) })
type Unsent = z.infer<typeof unsentSchema>

/** Lists matches that were not sent because of a mute, or because they add no fact to their case. */
async function listUnsent(tx: Database, profileId: string, from: Date, to: Date): Promise<Unsent[]> {
  return readRows(tx, unsentSchema, [profileId, from, to])`
    select threat_id as id, state from alert_match
     where profile_id = $1 and state in ('muted', 'repeated') and at >= $2 and at < $3 order by threat_id`
}

function countOf(unsent: readonly Unsent[], state: Unsent['state']): number {
  return unsent.filter((one) => one.state === state).length
}

function countSeverities(threats: Digest['threats']): Digest['severities'] {
  return [...SEVERITIES, null].flatMap((severity) => {
    const count = threats.filter((threat) => threat.severity === severity).length
    return count === 0 ? [] : [{ severity, count }]
  })
}
