import * as z from 'zod/mini'
import type { AuditedAction } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange } from '#bff/accounts/make-change.ts'
import { readFilterFaults, requireSearchOf } from '#bff/alerts/filter-faults.ts'
import { type Evaluating, pathOfProfile } from '#bff/alerts/lantern-profiles.ts'
import { proveProfile } from '#bff/alerts/prove-profile.ts'
import { TESTS } from '#bff/http/account-limits.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
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
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import type { Role } from '#contract/bff/session.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { resumeCause, stopCause } from '#delivery/causes.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { summarizeCause } from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { makeRecipients, type RecipientOptions } from './make-recipients.ts'
import { readProfileMatches } from './profile-matches.ts'

const ID = z.object({ id: idSchema })
/** An account may have this many: each is evaluated with every change of the stored threats. */
const PROFILES_MAX_COUNT = 200

export type ProfileRouteDependencies = RecipientOptions & Evaluating & { database: Database }

type Change = AuditedAction & { profile: { id: string; name: string } }
type Record = (facts: Change) => Promise<void>

/** Alert profiles that run in Lantern. Analysts make them; the owner and admins change them. */
export function profileRoutes(dependencies: ProfileRouteDependencies): BffRoute[] {
  const { database, store, searchContext, clock, origin, secret, access, hasEmail, domains, reach } =
    dependencies

  function change<Result>(
    context: ChangeContext,
    run: (tx: Database, record: Record) => Promise<Result>,
    role: Role = 'analyst',
  ): Promise<Result> {
    return makeChange(database, context, role, (tx, record) =>
      run(tx, async ({ profile, ...facts }) => {
        await record({ object: profile.id, objectName: profile.name, ...facts })
        await notifyLive(tx, { kind: 'profiles' })
      }),
    )
  }

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
    defineRoute('POST /bff/alert-profiles', {
      body: lanternProfileDraftSchema,
      access: 'analyst',
      async answer({ body: { idempotencyKey: key, ...given }, ...context }) {
        const { session } = context
        const { isShift = false } = given
        const body = isShift ? { ...given, filter: NOTHING } : given
        requireDigestOf({ ...body, isShift })
        const accountId = session.user.id
        const { route } = context.request
        await requireSearchOf(searchContext, { ...body, accountId })
        const write = { accountId, route, key, body, answer: lanternProfileSavedSchema }
        let secrets: LanternProfileSaved['secrets'] = {}
        const create = async (tx: Database, record: Record) => {
          const made = await makeRecipients(tx, body.recipients, [], { ...dependencies, isShift })
          secrets = made.secrets
          const limit = { maxCount: PROFILES_MAX_COUNT, nowMs: clock.nowMs() }
          const id = await insertProfile(tx, accountId, body, limit)
          if (id === null) throw tooMany()
          await replaceRecipients(tx, id, made.recipients)
          const after = await factsOf(tx, await requireProfile(tx, id, session))
          await record({ action: 'alert-created', profile: { id, name: body.name }, after })
          // No secret is kept with the answer.
          return saved(tx, id, session, {})
        }
        const json = await change(context, (tx, record) => writeOnce(tx, write, () => create(tx, record)))
        return { status: 201, json: { ...json, secrets } }
      },
    }),
    defineRoute('PUT /bff/alert-profiles/:id', {
      params: ID,
      body: lanternProfileChangeSchema,
      access: 'analyst',
      async answer({ params: { id }, body, ...context }) {
        const { session } = context
        const json = await change(context, async (tx, record) => {
          const profile = await requireOwnProfile(tx, id, session)
          const before = await factsOf(tx, profile)
          const { isShift } = profile
          const content = contentOf(isShift ? { ...body, filter: undefined } : body)
          const changed = { ...profile, ...content, ...pauseOf(profile, body, clock.nowMs()) }
          requireDigestOf(changed)
          if (body.filter || body.timeZone) await requireSearchOf(searchContext, changed)
          const kept = await readRecipients(tx, id)
          const made =
            body.recipients && (await makeRecipients(tx, body.recipients, kept, { ...dependencies, isShift }))
          if (made) await replaceRecipients(tx, id, made.recipients)
          await updateProfile(tx, changed, clock.nowMs())
          if (changed.state !== profile.state)
            await (changed.state === 'paused'
              ? stopCause(tx, causeOf(changed), 'paused')
              : resumeCause(tx, id))
          const { isProvedWeekly } = body
          if (isProvedWeekly !== undefined)
            await setNextProof(tx, changed, isProvedWeekly ? new Date(clock.nowMs()) : null)
          const after = await factsOf(tx, await requireOwnProfile(tx, id, session))
          await record({ action: 'alert-changed', profile: changed, before, after })
          return saved(tx, id, session, made?.secrets ?? {})
        })
        return { json }
      },
    }),
    defineRoute('DELETE /bff/alert-profiles/:id', {
      params: ID,
      access: 'analyst',
      async answer({ params: { id }, ...context }) {
        await change(context, async (tx, record) => {
          const profile = await requireOwnProfile(tx, id, context.session)
          const before = await factsOf(tx, profile)
          await deleteProfile(tx, profile)
          await record({ action: 'alert-deleted', profile, before })
        })
        return { status: 204 }
      },
    }),
    defineRoute('DELETE /bff/alert-profiles/:id/recipients/me', {
      params: ID,
      access: 'viewer',
      async answer({ params: { id }, ...context }) {
        const { user } = context.session
        const leave = async (tx: Database, record: Record) => {
          const profile = await findProfile(tx, id, user.id)
          const before = profile && (await factsOf(tx, profile))
          if (!profile || !before || !(await removeRecipient(tx, id, user.id)))
            throw notFound('You are no recipient of this profile.')
          await record({ action: 'alert-changed', profile, before, after: await factsOf(tx, profile) })
        }
        await change(context, leave, 'viewer')
        return { status: 204 }
      },
    }),
    defineRoute('POST /bff/alert-profiles/:id/prove', {
      limit: TESTS,
      params: ID,
      access: 'analyst',
      async answer({ params: { id }, ...context }) {
        const json = await change(context, async (tx, record) => {
          const profile = await requireOwnProfile(tx, id, context.session)
          const requestedBy = context.session.user.name
          const proof = await proveProfile(tx, profile, { ...dependencies, requestedBy })
          if (proof.to.length === 0) throw cannotNotify()
          const after = {
            destination: proof.to.map((to) => access.mask(to.channel, to.destination)).join(', '),
          }
          await record({ action: 'alert-tested', profile, after })
          return { sent: proof.sent, record: proof.record } satisfies ProfileProved
        })
        return { status: 202, json }
      },
    }),
    defineRoute('POST /bff/alert-profiles/:id/recipients/:recipient/test', {
      limit: TESTS,
      params: z.object({ id: idSchema, recipient: idSchema }),
      access: 'analyst',
      async answer({ params: { id, recipient: recipientId }, ...context }) {
        const json = await change(context, async (tx, record): Promise<TestSent> => {
          const profile = await requireOwnProfile(tx, id, context.session)
          const recipient = (await readRecipients(tx, id)).find((one) => one.id === recipientId)
          if (!recipient) throw notFound('The profile has no such recipient any more.')
          const [to] = destinationsOf([recipient], { secret, hasEmail })
          if (!to) throw cannotNotify()
          const test = {
            kind: 'test',
            causes: [causeOf(profile)],
            requestedBy: context.session.user.name,
            link: origin + pathOfProfile(profile),
          } as const
          const [sent = ''] = await insertDeliveries(tx, [to], test, access)
          const after = { destination: access.mask(to.channel, to.destination) }
          await record({ action: 'alert-tested', profile, after })
          return { id: sent }
        })
        return { status: 202, json }
      },
    }),
    defineRoute('POST /bff/alert-profiles/:id/recipients/:recipient/secret', {
      params: z.object({ id: idSchema, recipient: idSchema }),
      access: 'analyst',
      // The secret outlives the session.
      needsFreshProof: true,
      async answer({ params: { id, recipient: recipientId }, ...context }) {
        const { session } = context
        const json = await change(context, async (tx, record) => {
          const profile = await requireOwnProfile(tx, id, session)
          const to = { profileId: id, recipientId }
          const signing = await replaceSigningSecret(tx, to, { secret, nowMs: clock.nowMs() })
          if (signing === null) throw notFound('The profile has no such webhook any more.')
          await record({ action: 'alert-secret-replaced', profile, after: { recipient: recipientId } })
          return saved(tx, id, session, { [recipientId]: signing })
        })
        return { json }
      },
    }),
  ]
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

/** The Shift page is sent as a digest. */
function requireDigestOf({ isShift, schedule }: { isShift: boolean; schedule?: Schedule | undefined }): void {
  if (!isShift || (schedule ?? AT_ONCE).kind !== 'atOnce') return
  throw wrongFields([{ name: 'schedule', reason: 'Shift is sent daily or weekly.' }])
}

/** An end of a pause alone pauses, too; what becomes active has none. */
function pauseOf(profile: StoredProfile, { state, pausedUntil }: LanternProfileChange, nowMs: number) {
  const next = state ?? (pausedUntil ? 'paused' : profile.state)
  if (pausedUntil && (next === 'active' || Date.parse(pausedUntil) <= nowMs)) throw pauseIsOver()
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

function pauseIsOver(): ProblemError {
  return wrongFields([
    { name: 'pausedUntil', reason: 'A pause ends in the future, and only a paused profile has one.' },
  ])
}

function tooMany(): ProblemError {
  return conflict(
    `You have ${PROFILES_MAX_COUNT} alert profiles. Delete one that you no longer use, then create this one.`,
  )
}

function cannotNotify(): ProblemError {
  return conflict(
    'E-mail is not set up, the user has no access any more, or SECRET was replaced: enter it again.',
    'This recipient cannot be notified',
  )
}
