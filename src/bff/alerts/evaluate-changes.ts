import type { Log } from '#bff/http/log.ts'
import { countMuted } from '#bff/notify/mute-queries.ts'
import type { ClaimPlacing } from '#bff/store/cases/place-claims.ts'
import { CHANGE_LOG_DAYS, type LoggedChange, readChanges } from '#bff/store/changes/change-log.ts'
import {
  findStalledSince,
  isReadToEnd,
  peekOn,
  readOn,
  setKnownTo,
} from '#bff/store/changes/change-reader.ts'
import type { RowFacts } from '#bff/store/index/index-rows.ts'
import type { ListMatching } from '#bff/store/lists/match-lists.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import { readSyncState } from '#bff/store/sync/sync-state.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import { severitySchema } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { inSavepoint, isRetryable } from '#database/open-database.ts'
import { type LedgerAccess, readLedgerTime, toStorable } from '#delivery/ledger-access.ts'
import type { NotifiedThreat } from '#delivery/message.ts'
import { readClaimFacts } from '#matcher/cases/claim-facts.ts'
import { decideMatches } from './decide-matches.ts'
import {
  type Candidate,
  deleteCursorsExcept,
  type EvaluationCursor,
  markKnown,
  readCandidates,
  readCursors,
  readHeldMatches,
  writeCursor,
  writeMatches,
} from './evaluation-queries.ts'
import { readMutes } from './read-mutes.ts'
import { type Sender, sendMatches } from './send-matches.ts'

const READER = 'alerts'
const PAGE_COUNT = 200
const STALLED_AFTER_MS = 10 * 60_000

/**
 * Returns the time from which stored records are compared with a new profile. Some records are already days old when
 * Lantern first reads them.
 */
export function storedDaysOf(nowMs: number): number {
  return nowMs - 2 * CHANGE_LOG_DAYS * DAY_MS
}

/** The search of a profile. */
export type ProfileMatching = {
  /**
   * Returns the records that the profile matches, with the matching words. Throws if the search cannot be evaluated.
   */
  match(facts: readonly RowFacts[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Returns the ids of stored records that match, as far back as the change log is kept. */
  matchStored(): Promise<readonly string[]>
}

/** A profile to evaluate, stored in Lantern or in our own service. */
export type EvaluatedProfile = Sender &
  ProfileMatching & {
    createdAt: string
    /** Identifies the search. A different text means that the search has changed. */
    criteria: string
    /** Returns true if a match waits for a digest or the end of quiet hours. */
    waits(threat: Threat, now: Date): boolean
  }

export type EvaluateOptions = {
  profiles: readonly EvaluatedProfile[]
  /** The number of the last change that `prepareChanges` has prepared. */
  preparedTo: number
  access: LedgerAccess
  /** The origin at which browsers reach Lantern. */
  origin: string
  log: Log
}

/**
 * Compares lists with the next page of the change log, and assigns its claims to cases. Profiles need both: they can
 * search for list matches, and notify once per case. A claim without a case is still sent. Returns the number of the
 * page's last change. Call it outside a transaction, because it may wait some seconds for others that assign claims.
 */
export async function prepareChanges(
  database: Database,
  { listMatching, claimPlacing }: { listMatching: ListMatching; claimPlacing: ClaimPlacing },
): Promise<number> {
  const { changes, next } = await peekOn(database, READER, PAGE_COUNT)
  await listMatching.matchPage(changes)
  await claimPlacing.placeChanges()
  return next
}

/**
 * Evaluates a prepared page of the change log, and enqueues its matches in one transaction. After a crash or a
 * rollback, the same page is evaluated again. A profile that stopped earlier continues where it stopped, with the same
 * number of changes. Returns true if more may follow.
 */
export async function evaluateChanges(tx: Database, options: EvaluateOptions): Promise<boolean> {
  const { profiles, preparedTo, log } = options
  // The state is read before the page, so that the page has every change that this state reports.
  const state = await readSyncState(tx)
  const page = await readOn(tx, READER, PAGE_COUNT, preparedTo)
  const isEnd = page.next === page.last
  if (isEnd && state.status === 'complete') await setKnownTo(tx, READER, state.storedTo)
  if (page.hasMissed && page.after > 0) log.warn('alert-changes-missed', { after: page.after })
  await deleteCursorsExcept(
    tx,
    profiles.map(({ cause }) => cause.id),
  )
  const cursors = await readCursors(tx)
  const candidates = await readCandidates(tx, page.changes)
  let isCatchingUp = false
  for (const profile of profiles) {
    const cursor = cursors.get(profile.cause.id)
    const next = await evaluateProfile(tx, profile, { ...options, cursor, page, candidates })
    const { criteria, stoppedAt } = next
    if (cursor?.criteria !== criteria || cursor.stoppedAt !== stoppedAt) await writeCursor(tx, next)
    const before = cursor?.stoppedAt ?? null
    if (before !== null && stoppedAt !== null && stoppedAt > before) isCatchingUp = true
  }
  return !isEnd || isCatchingUp
}

/** Returns true if changes or profiles have not been evaluated; `stopped` if only profiles that failed are left. */
export async function hasUnread(
  db: Database,
  profiles: readonly EvaluatedProfile[],
): Promise<'changes' | 'stopped' | 'nothing'> {
  const cursors = await readCursors(db)
  const own = profiles.map(({ cause, criteria }) => ({ criteria, cursor: cursors.get(cause.id) }))
  const isNew = own.some(
    ({ criteria, cursor }) => !cursor || (cursor.criteria !== criteria && cursor.stoppedAt === null),
  )
  if (isNew || !(await isReadToEnd(db, READER))) return 'changes'
  return own.some(({ cursor }) => cursor?.stoppedAt !== null) ? 'stopped' : 'nothing'
}

/** Returns since when changes wait without being evaluated. Null if none wait, or only for a short time. */
export function findEvaluationStopped(db: Database, now: Date): Promise<Date | null> {
  return findStalledSince(db, READER, new Date(now.getTime() - STALLED_AFTER_MS))
}

type Evaluation = EvaluateOptions & {
  cursor: EvaluationCursor | undefined
  page: { after: number; next: number; changes: readonly LoggedChange[] }
  /** Records of the page that may be sent. */
  candidates: readonly Candidate[]
}

/**
 * Returns the cursor of the profile: after the page, or after the changes that it was to catch up with. If a profile
 * fails, its writes are rolled back, and the other profiles are evaluated.
 */
async function evaluateProfile(
  tx: Database,
  profile: EvaluatedProfile,
  { cursor, page, candidates, ...options }: Evaluation,
): Promise<EvaluationCursor> {
  const { cause, createdAt, criteria } = profile
  const profileId = cause.id
  const stoppedAt = cursor?.stoppedAt ?? null
  const after = stoppedAt ?? page.after
  try {
    return await inSavepoint(tx, async () => {
      if (cursor?.criteria !== criteria)
        await markKnown(tx, { profileId, createdAt }, { ids: await profile.matchStored(), before: after })
      if (after === page.after) {
        await evaluateCandidates(tx, profile, candidates, options)
        return { profileId, criteria, stoppedAt: null }
      }
      const piece = await readChanges(tx, { after, limit: PAGE_COUNT, upTo: page.next })
      await evaluateCandidates(tx, profile, await readCandidates(tx, piece.changes), options)
      return { profileId, criteria, stoppedAt: piece.next < page.next ? piece.next : null }
    })
  } catch (error) {
    if (isRetryable(error)) throw error
    if (stoppedAt === null) options.log.error('alert-profile-not-evaluated', error, { profile: profileId })
    return { profileId, criteria: cursor?.criteria ?? '', stoppedAt: after }
  }
}

export function isCritical(severity: string | null): boolean {
  return severity?.toLowerCase() === 'critical'
}

async function evaluateCandidates(
  tx: Database,
  profile: EvaluatedProfile,
  candidates: readonly Candidate[],
  { access, origin }: EvaluateOptions,
): Promise<void> {
  if (candidates.length === 0) return
  const facts = await readFactsOf(
    tx,
    candidates.map(({ threat }) => threat.id),
  )
  const words = await profile.match(facts)
  const matched = candidates.filter(({ threat }) => words.has(threat.id))
  if (matched.length === 0) return
  const now = await readLedgerTime(tx, access)
  const mutesOf = await readMutes(tx, profile.cause.id, now)
  const { held, caseIds } = await readHeldMatches(
    tx,
    profile.cause.id,
    matched.map(({ threat }) => threat.id),
  )
  const unread = await readThreats(
    tx,
    held.flatMap(({ id, facts }) => (facts === null ? id : [])),
  )
  const factsById = new Map(unread.map((threat) => [threat.id, readClaimFacts(threat)]))
  const decisions = decideMatches(
    matched.map(({ threat, fields }) => ({
      threat,
      caseId: caseIds.get(threat.id) ?? null,
      passing: mutesOf(threat).length > 0 ? 'muted' : profile.waits(threat, now) ? 'waiting' : 'enqueued',
      isRenamed: fields !== null && (fields.includes('organizations') || fields.includes('actors')),
    })),
    held,
    (id) => factsById.get(id) ?? [],
  )
  const matchedById = new Map(matched.map((candidate) => [candidate.threat.id, candidate]))
  const writes = decisions.flatMap((decision) => {
    const { event, news, ...match } = decision
    const candidate = matchedById.get(match.id)
    if (!candidate) return []
    const { threat, fields } = candidate
    const caseId = caseIds.get(match.id) ?? null
    const shown = toMatchedThreat(threat, { words: words.get(match.id) ?? [], fields, origin, caseId, news })
    return [
      {
        ...match,
        threat,
        event,
        shown,
        waiting: event && match.state === 'waiting' ? { ...shown, event } : null,
      },
    ]
  })
  await writeMatches(tx, profile.cause.id, writes, now)
  await countMuted(
    tx,
    writes.flatMap(({ threat, isNewlyMuted }) => (isNewlyMuted ? mutesOf(threat) : [])),
  )
  const sent = writes.flatMap(({ event, shown, state }) =>
    event !== null && state === 'enqueued' ? [{ event, threat: shown }] : [],
  )
  await sendMatches(tx, profile, sent, access)
}

type Matched = {
  words: readonly string[]
  /** Names of the record's changed members. Null for a new record. */
  fields: readonly string[] | null
  /** The origin at which browsers reach Lantern. */
  origin: string
  caseId: string | null
  /** Says how the record changes its case. Null for the first claim of the case. */
  news: string | null
}

/** Names for members in messages. A change of any other member has no name. */
const FIELD_NAMES: Readonly<Partial<Record<keyof Threat, string>>> = {
  title: 'title',
  excerpt: 'summary',
  category: 'category',
  actors: 'actors',
  countries: 'countries',
  industries: 'industries',
  domains: 'domains',
  publishedAt: 'publication date',
}

/** Converts a record to the form that the ledger stores and messages show. */
function toMatchedThreat(threat: Threat, { words, fields, origin, caseId, news }: Matched): NotifiedThreat {
  const [actor = null] = threat.actors
  const [victim = null] = threat.organizations
  return {
    id: threat.id,
    title: toStorable(threat.title ?? 'Untitled threat'),
    severity: severitySchema.safeParse(threat.severity?.toLowerCase()).data ?? null,
    category: threat.category && toStorable(threat.category),
    actor: actor && toStorable(actor),
    victim: victim && toStorable(victim),
    countries: threat.countries.map(({ name }) => toStorable(name)),
    publishedAt: threat.publishedAt,
    matchedWords: words.map(toStorable),
    change: fields && describeChange(threat, fields),
    caseId,
    news: news && toStorable(news),
    link: `${origin}/threats/${pathSegment(threat.id)}`,
  }
}

/** Describes why a known record is sent now; null if its change has no name. */
function describeChange({ organizations, severity }: Threat, fields: readonly string[]): string | null {
  const [victim] = organizations
  if (fields.includes('organizations') && victim !== undefined) return `Victim named: ${toStorable(victim)}`
  if (fields.includes('severity') && severity !== null) return `Severity: ${toStorable(severity)}`
  const named = Object.entries(FIELD_NAMES).flatMap(([field, name]) => (fields.includes(field) ? [name] : []))
  return named.length === 0 ? null : `Changed: ${named.join(', ')}`
}
