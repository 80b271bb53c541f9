import * as z from 'zod/mini'
import { defineChange } from '#bff/accounts/make-change.ts'
import { readFilterFaults, requireSearchOf } from '#bff/alerts/filter-faults.ts'
import { type Evaluating, pathOfProfile } from '#bff/alerts/lantern-profiles.ts'
import { proveProfile } from '#bff/alerts/prove-profile.ts'
import { TESTS } from '#bff/http/account-limits.ts'
import {
  conflict,
  notFound,
  type ProblemError,
  roleNotAllowed,
  wrongFields,
} from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import {
  causeOf,
  deleteProfile,
  findProfile,
  insertProfile,
  listProfiles,
  NOTHING,
  profileReaderOf,
  type StoredProfile,
  setNextProof,
  updateProfile,
} from '#bff/notify/profile-queries.ts'
import {
  describeRecipients,
  destinationsOf,
  listActiveUsers,
  readRecipients,
  removeRecipient,
  replaceRecipients,
  type StoredRecipient,
} from '#bff/notify/recipient-queries.ts'
import { replaceSigningSecret } from '#bff/notify/recipient-seals.ts'
import { searchOfProfile } from '#bff/store/read-search.ts'
import { countedPeriod } from '#bff/time/counted-period.ts'
import { alertQuerySchema } from '#contract/bff/alert.ts'
import {
  AT_ONCE,
  type LanternProfile,
  type LanternProfileChange,
  type LanternProfileSaved,
  lanternProfileChangeSchema,
  lanternProfileDraftSchema,
  lanternProfileSavedSchema,
  type ProfileProved,
  type Schedule,
} from '#contract/bff/alert-profile.ts'
import type { TestSent } from '#contract/bff/delivery-ledger.ts'
import { maskDestination } from '#contract/bff/mask-address.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { resumeCause, stopCause } from '#delivery/causes.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { summarizeCause } from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { makeRecipients, type RecipientOptions } from './make-recipients.ts'
import { readProfileMatches } from './profile-matches.ts'

const ID = z.object({ id: idSchema })
const RECIPIENT = z.object({ id: idSchema, recipient: idSchema })
const PROFILES = { kind: 'profiles' } as const
/** An account may have this many: each is evaluated with every change of the stored threats. */
const PROFILES_MAX_COUNT = 200

export type ProfileRouteDependencies = RecipientOptions & Evaluating & { database: Database }

/** Alert profiles that run in Lantern. Analysts make them; the owner and admins change them. */
export function profileRoutes(dependencies: ProfileRouteDependencies): BffRoute[] {
  const { database, store, searchContext, clock, origin, secret, access, hasEmail, domains, reach } =
    dependencies

  async function saved(
    tx: Database,
    id: string,
    session: ReaderSession,
    secrets: LanternProfileSaved['secrets'],
  ): Promise<LanternProfileSaved> {
    const profile = await requireProfile(tx, id, session)
    return { profile: await describe(tx, profile, profile.timeZone), secrets }
  }

  async function describe(db: Database, stored: StoredProfile, timeZone: string): Promise<LanternProfile> {
    const { accountId: _accountId, claimsUntil: _claimsUntil, ...profile } = stored
    const filterFaults = await readFilterFaults(searchContext, stored)
    return {
      ...profile,
      ...(await summarizeCause(db, stored.id, readDatabaseTime)),
      recipients: await describeRecipients(db, stored.id, { secret, hasEmail }),
      window: await readProfileMatches(searchOfProfile(stored), timeZone, dependencies),
      ...(filterFaults && { filterFaults }),
    }
  }

  return [
    defineRoute('GET /bff/alert-profiles', {
      access: 'viewer',
      query: alertQuerySchema,
      async answer({ query: { timeZone }, session }) {
        const listed = await listProfiles(database, profileReaderOf(session))
        const profiles = await Promise.all(listed.map((profile) => describe(database, profile, timeZone)))
        const stored = await store.storedRange()
        const { coverage: days } = countedPeriod(DEFAULT_PERIOD, { timeZone, nowMs: clock.nowMs(), stored })
        return { json: { profiles, days, hasEmail, domains, hosts: reach.hosts } }
      },
    }),
    defineRoute('GET /bff/alert-profiles/users', {
      access: 'analyst',
      answer: async () => ({ json: { users: await listActiveUsers(database) } }),
    }),
    defineChange(database, 'POST /bff/alert-profiles', {
      body: lanternProfileDraftSchema,
      access: 'analyst',
      status: 201,
      live: PROFILES,
      async change({ body: { idempotencyKey: key, ...given }, session, request: { route } }, tx, record) {
        const { isShift = false } = given
        const body = isShift ? { ...given, filter: NOTHING } : given
        requireDigestOf({ ...body, isShift })
        const accountId = session.user.id
        await requireSearchOf(searchContext, { ...body, accountId })
        let secrets: LanternProfileSaved['secrets'] = {}
        const write = { accountId, route, key, body, answer: lanternProfileSavedSchema }
        const answer = await writeOnce(tx, write, async () => {
          const made = await makeRecipients(tx, body.recipients, [], { ...dependencies, isShift })
          secrets = made.secrets
          const limit = { maxCount: PROFILES_MAX_COUNT, nowMs: clock.nowMs() }
          const id = await insertProfile(tx, accountId, body, limit)
          if (id === null)
            throw conflict(
              `You have ${PROFILES_MAX_COUNT} alert profiles. Delete one that you no longer use, then create this one.`,
            )
          await replaceRecipients(tx, id, made.recipients)
          const after = await factsOf(tx, await requireProfile(tx, id, session))
          await record({ action: 'alert-created', object: id, objectName: body.name, after })
          // No secret is kept with the answer.
          return saved(tx, id, session, {})
        })
        return { ...answer, secrets }
      },
    }),
    defineChange(database, 'PUT /bff/alert-profiles/:id', {
      params: ID,
      body: lanternProfileChangeSchema,
      access: 'analyst',
      live: PROFILES,
      async change({ params: { id }, body, session }, tx, record) {
        const profile = await requireOwnProfile(tx, id, session)
        const before = await factsOf(tx, profile)
        const { isShift = profile.isShift } = body
        if (profile.isShift && !isShift && !body.filter)
          throw wrongFields([{ name: 'filter', reason: 'A profile that sent Shift needs a search.' }])
        const content = contentOf(isShift ? { ...body, filter: NOTHING } : body)
        const changed = { ...profile, ...content, isShift, ...pauseOf(profile, body, clock.nowMs()) }
        requireDigestOf(changed)
        if (body.filter || body.timeZone) await requireSearchOf(searchContext, changed)
        const kept = await readRecipients(tx, id)
        const isTurned = isShift && !profile.isShift
        const recipients = body.recipients ?? (isTurned ? kept.map(keptDraft) : undefined)
        const made = recipients && (await makeRecipients(tx, recipients, kept, { ...dependencies, isShift }))
        if (made) await replaceRecipients(tx, id, made.recipients)
        await updateProfile(tx, changed, clock.nowMs())
        if (changed.state !== profile.state)
          await (changed.state === 'paused' ? stopCause(tx, causeOf(changed), 'paused') : resumeCause(tx, id))
        const { isProvedWeekly } = body
        if (isProvedWeekly !== undefined)
          await setNextProof(tx, changed, isProvedWeekly ? new Date(clock.nowMs()) : null)
        const after = await factsOf(tx, await requireOwnProfile(tx, id, session))
        await record({ ...objectOf(changed), action: 'alert-changed', before, after })
        return saved(tx, id, session, made?.secrets ?? {})
      },
    }),
    defineChange(database, 'DELETE /bff/alert-profiles/:id', {
      params: ID,
      access: 'analyst',
      live: PROFILES,
      async change({ params: { id }, session }, tx, record) {
        const profile = await requireOwnProfile(tx, id, session)
        const before = await factsOf(tx, profile)
        await deleteProfile(tx, profile)
        await record({ ...objectOf(profile), action: 'alert-deleted', before })
      },
    }),
    defineChange(database, 'DELETE /bff/alert-profiles/:id/recipients/me', {
      params: ID,
      access: 'viewer',
      live: PROFILES,
      async change({ params: { id }, session: { user } }, tx, record) {
        const profile = await findProfile(tx, id, user.id)
        const before = profile && (await factsOf(tx, profile))
        if (!profile || !before || !(await removeRecipient(tx, id, user.id)))
          throw notFound('You are no recipient of this profile.')
        const after = await factsOf(tx, profile)
        await record({ ...objectOf(profile), action: 'alert-changed', before, after })
      },
    }),
    defineChange(database, 'POST /bff/alert-profiles/:id/prove', {
      limit: TESTS,
      params: ID,
      access: 'analyst',
      status: 202,
      live: PROFILES,
      async change({ params: { id }, session }, tx, record): Promise<ProfileProved> {
        const profile = await requireOwnProfile(tx, id, session)
        const requestedBy = session.user.name
        const proof = await proveProfile(tx, profile, { ...dependencies, requestedBy })
        const { to, sent, users } = proof
        if (to.length + users.length === 0) throw cannotNotify(await readRecipients(tx, id))
        const destinations = to.map(({ channel, destination }) => maskDestination(channel, destination))
        const after = { destination: destinations.join(', ') || 'Notifications' }
        await record({ ...objectOf(profile), action: 'alert-tested', after })
        return { sent, record: proof.record, userCount: users.length }
      },
    }),
    defineChange(database, 'POST /bff/alert-profiles/:id/recipients/:recipient/test', {
      limit: TESTS,
      params: RECIPIENT,
      access: 'analyst',
      status: 202,
      live: PROFILES,
      async change({ params: { id, recipient: recipientId }, session }, tx, record): Promise<TestSent> {
        const profile = await requireOwnProfile(tx, id, session)
        const recipient = (await readRecipients(tx, id)).find((one) => one.id === recipientId)
        if (!recipient) throw notFound('The profile has no such recipient any more.')
        const [to] = destinationsOf([recipient], { secret, hasEmail })
        if (!to) throw cannotNotify([recipient])
        const test = {
          kind: 'test',
          causes: [causeOf(profile)],
          requestedBy: session.user.name,
          link: origin + pathOfProfile(profile),
        } as const
        const [sent = ''] = await insertDeliveries(tx, [to], test, access)
        const after = { destination: maskDestination(to.channel, to.destination) }
        await record({ ...objectOf(profile), action: 'alert-tested', after })
        return { id: sent }
      },
    }),
    defineChange(database, 'POST /bff/alert-profiles/:id/recipients/:recipient/secret', {
      params: RECIPIENT,
      access: 'analyst',
      live: PROFILES,
      // The secret outlives the session.
      needsFreshProof: true,
      async change({ params: { id, recipient: recipientId }, session }, tx, record) {
        const profile = await requireOwnProfile(tx, id, session)
        const to = { profileId: id, recipientId }
        const signing = await replaceSigningSecret(tx, to, { secret, nowMs: clock.nowMs() })
        if (signing === null) throw notFound('The profile has no such webhook any more.')
        const after = { recipient: recipientId }
        await record({ ...objectOf(profile), action: 'alert-secret-replaced', after })
        return saved(tx, id, session, { [recipientId]: signing })
      },
    }),
  ]
}

function objectOf({ id, name }: { id: string; name: string }) {
  return { object: id, objectName: name }
}

/** A profile that is not shared does not exist for others. */
async function requireProfile(tx: Database, id: string, { user }: ReaderSession): Promise<StoredProfile> {
  const profile = await findProfile(tx, id, user.id)
  if (!profile || (!profile.isShared && !profile.owner?.isMe && user.role !== 'admin'))
    throw notFound('This profile was deleted, or is not shared any more.')
  return profile
}

async function requireOwnProfile(tx: Database, id: string, session: ReaderSession): Promise<StoredProfile> {
  const profile = await requireProfile(tx, id, session)
  if (profile.owner?.isMe || session.user.role === 'admin') return profile
  throw roleNotAllowed(
    profile.owner
      ? `This profile is ${profile.owner.name}’s. Duplicate it, or ask an admin.`
      : 'Only admins change this profile. Duplicate it, or ask an admin.',
  )
}

function contentOf({ name, filter, timeZone, isShared, schedule }: LanternProfileChange) {
  return {
    ...(name !== undefined && { name }),
    ...(filter && { filter }),
    ...(timeZone !== undefined && { timeZone }),
    ...(isShared !== undefined && { isShared }),
    ...(schedule && { schedule }),
  }
}

function keptDraft({ id }: { id: string }) {
  return { channel: 'kept', id } as const
}

/** The Shift page is sent as a digest. */
function requireDigestOf({ isShift, schedule }: { isShift: boolean; schedule?: Schedule | undefined }): void {
  if (!isShift || (schedule ?? AT_ONCE).kind !== 'atOnce') return
  throw wrongFields([{ name: 'schedule', reason: 'Shift is sent daily or weekly.' }])
}

/** An end of a pause alone pauses, too; what becomes active has none. */
function pauseOf(profile: StoredProfile, { state, pausedUntil }: LanternProfileChange, nowMs: number) {
  const next = state ?? (pausedUntil ? 'paused' : profile.state)
  if (pausedUntil && (next === 'active' || Date.parse(pausedUntil) <= nowMs))
    throw wrongFields([
      { name: 'pausedUntil', reason: 'A pause ends in the future, and only a paused profile has one.' },
    ])
  if (next === 'active') return { state: next, pausedUntil: null }
  const isRequested = state !== undefined || pausedUntil !== undefined
  return { state: next, pausedUntil: isRequested ? (pausedUntil ?? null) : profile.pausedUntil }
}

/** The record holds users by id, and masked destinations. */
async function factsOf(
  tx: Database,
  {
    id,
    name,
    filter,
    timeZone,
    schedule,
    isShift,
    isShared,
    state,
    pausedUntil,
    nextProofAt,
  }: Omit<StoredProfile, 'owner'>,
) {
  const recipients = (await readRecipients(tx, id)).map(
    ({ channel, userId, masked }) => `${channel} ${userId ?? masked ?? ''}`,
  )
  return {
    name,
    filter,
    timeZone,
    schedule,
    ...(isShift && { isShift }),
    isShared,
    state,
    ...(pausedUntil && { pausedUntil }),
    ...(nextProofAt && { isProvedWeekly: true }),
    recipients,
  }
}

/** Says why none of these recipients gets a test. */
function cannotNotify(recipients: readonly StoredRecipient[]): ProblemError {
  if (recipients.length === 0)
    return conflict('Edit the profile, and add a recipient.', 'The profile has no recipients')
  const [title, ...others] = new Set(recipients.map((recipient) => findObstacle(recipient)))
  if (title === undefined || others.length > 0)
    return conflict('Edit the profile, and correct its recipients.', 'No recipient can get a test')
  return conflict(REMEDIES[title], title)
}

const REMEDIES = {
  'Email is not set up':
    'Users get new matches in Notifications only. To test email, an admin sets SMTP_URL and MAIL_FROM.',
  'The user is disabled': 'Edit the profile, and remove this recipient.',
  'SECRET was replaced': 'The address cannot be read. Edit the profile, and enter it again.',
} as const

function findObstacle({ channel, email }: StoredRecipient): keyof typeof REMEDIES {
  if (channel !== 'user') return 'SECRET was replaced'
  return email === null ? 'The user is disabled' : 'Email is not set up'
}
