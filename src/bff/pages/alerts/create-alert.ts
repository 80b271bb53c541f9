import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { conflict, ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession, RouteRequest } from '#bff/http/route.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { describeFailure, toProblem } from '#bff/upstream/client/to-problem.ts'
import { givenUp, UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { type ReportedProfile, readAlertProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { AlertCreated, AlertDraft } from '#contract/bff/alert.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import { maskDestinations } from '#contract/bff/mask-address.ts'
import { mailboxOf } from '#contract/mailbox.ts'
import { foldValue, normaliseText } from '#matcher/normalise-text.ts'
import { unlessAborted } from '#server/unless-aborted.ts'
import type { AlertContext, CreationPatience } from './alert-context.ts'
import { isUnclear } from './change-source.ts'
import {
  type Attempt,
  type CreationName,
  claimCreation,
  dropCreation,
  readCreation,
  renameCreation,
  writeCreation,
} from './creation-queries.ts'
import type { ReportedProfiles } from './profile-list.ts'
import { toRefusal } from './refused-fields.ts'
import { requireUsable } from './usable-draft.ts'

type Created = { profile: ReportedProfile; outcome: AlertCreated['outcome'] }

const PATIENCE: CreationPatience = { answerMs: 6_500, readBackMs: 4_500 }
const LOOK_AGAIN_MS = 150
/** Longer than a call may take: a draft that was sent before has its end by then, or its process has died. */
const UNDER_WAY_MS = 12_000
/** A created draft that comes again within it is the same wish, whatever became of the first answer. */
const SAME_FOR_MS = 60_000
/** A vendor may take so long to list what it has created. */
const LISTED_WITHIN_MS = 5 * 60_000

/** A draft that somebody sends. */
type Wish = AlertContext & {
  patience: CreationPatience
  draft: AlertDraft
  caller: Caller
  name: CreationName
  /** Adds the categories that a refusal names to those known. */
  seen: SeenCategories
}

const AUDITED_PROBLEMS: Readonly<Partial<Record<string, AuditAction>>> = {
  alert_refused: 'alert-refused',
  alert_unclear: 'alert-unclear',
}

/** Creates a profile for a person, and records the request before and the outcome after it; destinations are masked. */
export async function createAudited(
  context: AlertContext,
  draft: AlertDraft,
  author: { request: RouteRequest; session: ReaderSession },
): Promise<Created> {
  const { name, keywords, categories } = draft
  requireUsable(draft, context.webhookHosts)
  const write = (action: AuditAction, object: string | null, outcome: object) =>
    recordAudit(context.database, {
      ...auditFacts(author),
      action,
      object,
      objectName: name,
      after: { keywords, categories, ...maskDestinations(draft), ...outcome },
    })
  /** A completed creation is answered even if it cannot be recorded: the request is recorded before. */
  const record: typeof write = (...event) =>
    write(...event).catch((error: unknown) => context.log.error('alert-not-audited', error))

  // Before anything is sent: a vendor lets nobody take a profile back.
  await write('alert-requested', null, {})
  try {
    const { caller } = toReadRequest(author.request, author.session)
    const created = await createAlert(context, draft, caller)
    await record('alert-created', created.profile.id, { outcome: created.outcome })
    return created
  } catch (error) {
    const action = error instanceof ProblemError && AUDITED_PROBLEMS[error.problem.code]
    if (action) await record(action, null, {})
    throw error
  }
}

/**
 * Creates a profile with one POST. What became of a POST whose answer is lost is looked up in the list, and a draft that was
 * sent before, by whichever process and however long ago, is not sent again before it was looked for there.
 */
async function createAlert(context: AlertContext, draft: AlertDraft, caller: Caller): Promise<Created> {
  const { database, source, secret, secretBefore, categories, clock, patience = PATIENCE } = context
  const hashWith = (key: string) =>
    createHmac('sha256', key)
      .update(`alert-draft\n${JSON.stringify(draft)}`)
      .digest()
  const name = { source: source(), account: caller.who ?? '', draftHash: hashWith(secret) }
  if (secretBefore !== undefined) await renameCreation(database, name, hashWith(secretBefore))
  const wish = { ...context, patience, draft, caller, name, seen: categories() }
  const atMs = clock.nowMs()
  return (await claimCreation(database, name, new Date(atMs))) ? send(wish, atMs) : follow(wish)
}

/** Goes on when nobody waits any longer, so that its outcome is known. */
async function post(wish: Wish): Promise<ReportedProfile> {
  const { upstream, database, draft, name, caller } = wish
  try {
    const { email, slack, teams, ...criteria } = draft
    // A destination that is not given is left out: a vendor may refuse null as an address.
    const webhooks = { ...(slack !== null && { slack }), ...(teams !== null && { teams }) }
    const body = { ...criteria, notifications: { email, ...webhooks } }
    const profile = readAlertProfile(await upstream.call('createAlert', { body }, caller))
    if (!profile) throw unclear('no profile in the answer')
    await note(wish, writeCreation(database, name, { state: 'created', profile }))
    return profile
  } catch (error) {
    // Only a refusal is known to have created nothing.
    const isRefused = error instanceof UpstreamError && !isUnclear(error)
    const writing = isRefused
      ? dropCreation(database, name)
      : writeCreation(database, name, { state: 'unclear', profile: null })
    await note(wish, writing)
    throw error
  }
}

/** A completed creation is answered even if it cannot be recorded. */
function note({ log }: Wish, writing: Promise<void>): Promise<void> {
  return writing.catch((error: unknown) => log.error('alert-creation-not-written-down', error))
}

async function send(wish: Wish, sentAtMs: number): Promise<Created> {
  const { draft, patience } = wish
  const knownIds = wish.profiles.knownIds()
  try {
    const profile = await unlessAborted(post(wish), AbortSignal.timeout(patience.answerMs), () =>
      unclear('no answer so far'),
    )
    return { profile, outcome: 'created' }
  } catch (error) {
    if (isUnclear(error)) {
      const list = await readBack(wish)
      const found = findDraft(draft, list.profiles, { sentAtMs, knownIds })
      if (found) return keepFound(wish, found)
      throw problemUnclear(absence(list))
    }
    if (error instanceof UpstreamError && error.kind === 'rejected') {
      wish.seen.addFromMessage(error.words ?? '')
      throw toRefusal(error, draft)
    }
    throw toProblem(error)
  }
}

async function readBack({ profiles, caller, patience }: Wish): Promise<ReportedProfiles> {
  try {
    return await unlessAborted(profiles.readNow(caller), AbortSignal.timeout(patience.readBackMs), () =>
      givenUp('earlier'),
    )
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const known = `Its list cannot be read back either: ${describeFailure(error)} Until it can, nothing is sent again.`
    throw problemUnclear(known, error)
  }
}

async function keepFound(wish: Wish, profile: ReportedProfile): Promise<Created> {
  await note(wish, writeCreation(wish.database, wish.name, { state: 'created', profile }))
  return { profile, outcome: 'found' }
}

/** The outcome of the draft when it was sent before; null when it was refused. */
async function awaitEnd({ database, name, clock, patience }: Wish): Promise<Attempt | null> {
  const until = performance.now() + patience.answerMs
  for (;;) {
    const attempt = await readCreation(database, name)
    const isUnderWay = attempt?.state === 'sent' && clock.nowMs() - attempt.sentAtMs < UNDER_WAY_MS
    if (!isUnderWay || performance.now() >= until) return attempt
    await sleep(LOOK_AGAIN_MS)
  }
}

/** The draft was sent before: the outcome of that is this one's answer too. */
async function follow(wish: Wish): Promise<Created> {
  const { draft, clock } = wish
  const attempt = await awaitEnd(wish)
  if (!attempt) throw conflict(SENT_TWICE)
  const { sentAtMs } = attempt
  const ageMs = clock.nowMs() - sentAtMs
  const isCreated = attempt.state === 'created'
  if (isCreated && ageMs <= SAME_FOR_MS) return { profile: attempt.profile, outcome: 'created' }

  const list = await readBack(wish)
  const found =
    list.profiles.find(({ id }) => id === attempt.profile?.id) ??
    findDraft(draft, list.profiles, { sentAtMs, knownIds: null })
  if (found) return keepFound(wish, found)
  // A profile that was created and is not listed was deleted at the vendor's.
  const isAbsent = list.unreadable === 0 && (isCreated || ageMs > LISTED_WITHIN_MS)
  if (!isAbsent) throw problemUnclear(absence(list))
  const atMs = clock.nowMs()
  const isOurs = await claimCreation(wish.database, wish.name, new Date(atMs), new Date(sentAtMs))
  return isOurs ? send(wish, atMs) : follow(wish)
}

const SENT_TWICE = 'The same profile was sent twice at once, and the vendor did not take it. Try again.'

/** Describes what a person can do if the list does not have the profile. */
function absence({ unreadable }: ReportedProfiles): string {
  if (unreadable === 0)
    return 'The profile is not in the list now; it may still appear. Create it again in five minutes: it is looked for first, and sent only if it is still not there.'
  return 'Part of its list cannot be read, and the profile may be in that part. Nothing is sent again; another name makes it another profile.'
}

function unclear(reason: string): UpstreamError {
  return new UpstreamError({ set: 'earlier', kind: 'unclear', reason })
}

function problemUnclear(known: string, cause?: unknown): ProblemError {
  return new ProblemError({
    code: 'alert_unclear',
    detail: `This profile was sent, and the vendor broke off before it answered. ${known}`,
    set: 'earlier',
    cause,
  })
}

/** The vendor's clock is not ours. */
const SKEW_MAX_MS = 10 * 60_000

/** The time when a draft was sent and, if known, the ids in the list before: they identify a profile without a time. */
type Before = { sentAtMs: number; knownIds: ReadonlySet<string> | null }

/** The profile that a draft has become, and no earlier one like it; null where the list holds none for certain. */
function findDraft(
  draft: AlertDraft,
  profiles: readonly ReportedProfile[],
  { sentAtMs, knownIds }: Before,
): ReportedProfile | null {
  const wanted = describe({ ...draft, destinations: maskDestinations(draft) })
  const isNew = ({ id, createdAt }: ReportedProfile) =>
    createdAt === null ? !knownIds?.has(id) : Date.parse(createdAt) >= sentAtMs - SKEW_MAX_MS
  return profiles.find((profile) => isNew(profile) && describe(profile) === wanted) ?? null
}

/** Returns one text for equal profiles: a vendor may sort lists, drop duplicates and change letter case. */
function describe({
  name,
  keywords,
  categories,
  destinations: { email, slack, teams },
}: Pick<ReportedProfile, 'name' | 'keywords' | 'categories' | 'destinations'>): string {
  const sets = [keywords.map(normaliseText), categories.map(foldValue), email.map(mailboxOf)]
  return JSON.stringify([name.trim(), slack, teams, ...sets.map((set) => [...new Set(set)].sort())])
}
