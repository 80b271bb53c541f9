import * as z from 'zod/mini'
import type { ReaderSession } from '#bff/http/route.ts'
import { nextDigest } from '#bff/time/schedule.ts'
import {
  AT_ONCE,
  type LanternProfileDraft,
  type Schedule,
  scheduleSchema,
} from '#contract/bff/alert-profile.ts'
import { type ThreatFilter, threatFilterSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'
import { resumeCause, stopCause } from '#delivery/causes.ts'
import type { Cause } from '#delivery/message.ts'
import { addInboxItems } from './inbox-queries.ts'
import { listAdmins } from './list-admins.ts'
import { enqueueAdminMail, itemOf, type NoticeOptions } from './operation-notices.ts'

/** A profile of Lantern as the database has it. */
const storedProfileSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null: the admins have it. */
  accountId: z.nullable(z.uuid()),
  owner: z.nullable(z.object({ name: z.string(), isMe: z.boolean() })),
  state: z.enum(['active', 'paused']),
  pausedUntil: z.nullable(z.iso.datetime()),
  isShared: z.boolean(),
  filter: z.pipe(
    z.string(),
    z.transform((text) => threatFilterSchema.parse(JSON.parse(text))),
  ),
  timeZone: z.string(),
  schedule: scheduleSchema,
  /** It sends the Shift page, and its search matches nothing. */
  isShift: z.boolean(),
  nextDigestAt: z.nullable(z.iso.datetime()),
  /** Digests of Shift had all claims that were published before. Null before the first one. */
  claimsUntil: z.nullable(z.iso.datetime()),
  nextProofAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type StoredProfile = z.infer<typeof storedProfileSchema>

/** `$1` is the reader. A pause that is over counts as over before its end is written. */
const PROFILE = `
  select profile.id, profile.name, account_id as "accountId", is_shared as "isShared", filter, time_zone as "timeZone",
         coalesce(shift_schedule, schedule) as schedule, shift_schedule is not null as "isShift",
         ${isoUtc('digest_due')} as "nextDigestAt", ${isoUtc('claims_until')} as "claimsUntil", ${isoUtc('proof_due')} as "nextProofAt",
         case when account.id is null then null
              else json_build_object('name', account.name, 'isMe', account.id is not distinct from $1) end as owner,
         case when paused_until <= now() then 'active' else profile.state end as state,
         case when paused_until > now() then ${isoUtc('paused_until')} end as "pausedUntil",
         ${isoUtc('profile.created_at')} as "createdAt", ${isoUtc('profile.updated_at')} as "updatedAt"
    from alert_profile profile left join account on account.id = account_id`

/** The account is a recipient. */
export const NOTIFIES = 'exists (select from alert_recipient where profile_id = profile.id and user_id = $1)'

const idSchema = z.object({ id: z.uuid() })

/** Whose deliveries an account may read: of its own profiles, of the team's and of those that notify it. */
export async function listReadableProfileIds(db: Database, accountId: string): Promise<string[]> {
  return readRows(db, onlyColumn(z.uuid()), [accountId])`
    select id from alert_profile profile where is_shared or account_id = $1 or ${NOTIFIES}`
}

/** Whose deliveries an account may send again: a recipient of somebody else's private profile may only read them. */
export async function listChangeableProfileIds(db: Database, accountId: string): Promise<string[]> {
  const rows = await readRows(db, idSchema, [accountId])`
    select id from alert_profile where is_shared or account_id = $1`
  return rows.map(({ id }) => id)
}

export type ProfileReader = { id: string; isAdmin: boolean }

export function profileReaderOf({ user }: ReaderSession): ProfileReader {
  return { id: user.id, isAdmin: user.role === 'admin' }
}

/** Lists one's own profiles, the team's, and those that notify oneself; all of them for an admin. */
export async function listProfiles(db: Database, { id, isAdmin }: ProfileReader): Promise<StoredProfile[]> {
  return readRows(db, storedProfileSchema, [id, isAdmin])`
    ${PROFILE} where $2 or is_shared or account_id = $1 or ${NOTIFIES}
     order by lower(profile.name), profile.created_at, profile.id`
}

/** All profiles, for whoever evaluates them. What a paused one matches is in the ledger, too, as not sent. */
export async function readActiveProfiles(db: Database): Promise<StoredProfile[]> {
  return readRows(db, storedProfileSchema, [null])`${PROFILE} order by profile.id`
}

export async function findProfile(
  db: Database,
  id: string,
  accountId: string | null,
): Promise<StoredProfile | null> {
  return findRow(db, storedProfileSchema, [accountId, id])`${PROFILE} where profile.id = $2`
}

/** Returns the profile's form in the ledger. */
export function causeOf({ id, name }: StoredProfile): Cause {
  return { id, name, isTeam: false }
}

function digestAfter(nowMs: number, schedule: Schedule, timeZone: string): Date | null {
  const due = nextDigest(schedule, timeZone, nowMs)
  return due === null ? null : new Date(due)
}

/** The search of a profile that sends the Shift page matches nothing: Lanterns that know no such profile evaluate it. */
export const NOTHING: ThreatFilter = { q: 'id:none -id:none' }

/** Null where the account has so many already. */
export async function insertProfile(
  tx: Database,
  accountId: string,
  { name, filter, timeZone, isShared, schedule = AT_ONCE, isShift = false }: LanternProfileDraft,
  { maxCount, nowMs }: { maxCount: number; nowMs: number },
): Promise<string | null> {
  // Two at once are counted one after the other.
  await tx.query('select from account where id = $1 for no key update', [accountId])
  const row = await findRow(tx, idSchema, [
    ...[accountId, name, JSON.stringify(filter), timeZone, isShared, maxCount],
    ...[JSON.stringify(isShift ? AT_ONCE : schedule), digestAfter(nowMs, schedule, timeZone)],
    ...[new Date(nowMs), isShift ? JSON.stringify(schedule) : null],
  ])`
    insert into alert_profile
      (account_id, name, filter, time_zone, is_shared, schedule, digest_due, digest_since, shift_schedule)
    select $1, $2, $3, $4, $5, $7, $8,
           case when $8::timestamptz is not null and $10::jsonb is null then $9::timestamptz end, $10::jsonb
     where (select count(*) from alert_profile where account_id = $1) < $6
    returning id`
  return row?.id ?? null
}

/**
 * If what it sends, its schedule, zone or state changes, waiting matches go with the next digest from now, or at once. A
 * profile that sends Shift again begins where its last digest of Shift ended.
 */
export async function updateProfile(
  tx: Database,
  { id, name, filter, timeZone, isShared, state, pausedUntil, schedule, isShift }: StoredProfile,
  nowMs: number,
): Promise<void> {
  await execute(tx, [
    ...[id, name, JSON.stringify(filter), timeZone, isShared, state, pausedUntil, JSON.stringify(schedule)],
    ...[digestAfter(nowMs, schedule, timeZone), new Date(nowMs), isShift, JSON.stringify(AT_ONCE)],
  ])`
    update alert_profile
       set name = $2, filter = $3, time_zone = $4, is_shared = $5, state = $6, paused_until = $7, updated_at = now(),
           schedule = case when $11 then $12::jsonb else $8::jsonb end,
           shift_schedule = case when $11 then $8::jsonb end,
           shift_until = case when shift_schedule is null then shift_until else digest_since end,
           digest_due = case
             when (shift_schedule is not null, coalesce(shift_schedule, schedule), time_zone, state) = ($11, $8::jsonb, $4, $6)
             then coalesce(digest_due, $9) else $9 end,
           digest_since = case
             when $11 then case when shift_schedule is null then greatest(shift_until, claims_until) else digest_since end
             when $9::timestamptz is not null
             then coalesce(case when shift_schedule is null then digest_since end, $10) end
     where id = $1`
}

/** The weekly test of a profile is due on Mondays at 8. */
const PROOF: Schedule = { kind: 'weekly', weekday: 1, hour: 8 }

/** The next weekly test after a time; none where that is null. */
export async function setNextProof(
  tx: Database,
  { id, timeZone }: StoredProfile,
  after: Date | null,
): Promise<void> {
  const due = after && digestAfter(after.getTime(), PROOF, timeZone)
  await tx.query('update alert_profile set proof_due = $2 where id = $1', [id, due])
}

/**
 * The digest that is due is written now, and is the last until the next. Returns when the one before was written, or since
 * when the profile has digests; null for the first one of the Shift page.
 */
export async function setNextDigest(
  tx: Database,
  { id, schedule, timeZone }: StoredProfile,
  now: Date,
): Promise<Date | null> {
  return findRow(tx, onlyColumn(z.nullable(z.coerce.date())), [
    id,
    digestAfter(now.getTime(), schedule, timeZone),
    now,
  ])`
    update alert_profile profile set digest_due = $2, digest_since = $3
      from alert_profile before where profile.id = $1 and before.id = $1
    returning before.digest_since as since`
}

/** The next digest of Shift has the claims from there on. */
export async function setClaimsUntil(tx: Database, { id }: StoredProfile, until: string): Promise<void> {
  await tx.query('update alert_profile set claims_until = $2 where id = $1', [id, until])
}

/** The next digest is due at the next hour of its schedule. */
export async function setDigestDue(
  tx: Database,
  { id, schedule, timeZone }: z.infer<typeof resumedSchema>,
  nowMs: number,
): Promise<void> {
  const due = digestAfter(nowMs, schedule, timeZone)
  await tx.query('update alert_profile set digest_due = $2 where id = $1', [id, due])
}

export async function deleteProfile(tx: Database, profile: StoredProfile): Promise<void> {
  await stopCause(tx, causeOf(profile), 'deleted')
  await tx.query('delete from alert_profile where id = $1', [profile.id])
}

const nameSchema = z.object({ id: z.uuid(), name: z.string() })

/**
 * Profiles whose owner is disabled, or a viewer by now, pass to the admins and go on. The bells of the admins say so, and
 * mail is due.
 */
export async function applyOwnerChanges(tx: Database): Promise<void> {
  const passed = await readRows(tx, nameSchema)`
    update alert_profile profile set account_id = null, is_pass_unmailed = true
      from account
     where account.id = account_id and (disabled_at is not null or role = 'viewer')
    returning profile.id, profile.name`
  if (passed.length === 0) return
  const admins = await listAdmins(tx)
  await addInboxItems(
    tx,
    admins.flatMap(({ id: accountId }) =>
      passed.map((profile) => ({ accountId, ...itemOf(describePass(profile)) })),
    ),
  )
}

/** Sends one mail to the admins about profiles that have passed to them, if mail is set up. */
export async function mailOwnerChanges(tx: Database, options: NoticeOptions): Promise<void> {
  const rows = await readRows(tx, nameSchema)`
    update alert_profile set is_pass_unmailed = false where is_pass_unmailed returning id, name`
  for (const profile of rows) await enqueueAdminMail(tx, describePass(profile), options)
}

/** The owner's name is not among it: bells outlive an erased person. */
function describePass({ id, name }: z.infer<typeof nameSchema>) {
  return {
    subject: `The alert profile “${name}” is now the admins’`,
    text: 'Its owner has no access any more, or is a viewer. The profile still runs. Keep, change or delete it.',
    path: `/alerts?profile=${id}`,
  }
}

const resumedSchema = z.object({ id: z.uuid(), schedule: scheduleSchema, timeZone: z.string() })

/** Profiles whose pause is over become active. What matched meanwhile stays unsent; digests go on with the next one. */
export async function resumeDueProfiles(tx: Database, nowMs: number): Promise<void> {
  const rows = await readRows(tx, resumedSchema)`
    update alert_profile set state = 'active', paused_until = null where paused_until <= now()
    returning id, coalesce(shift_schedule, schedule) as schedule, time_zone as "timeZone"`
  for (const resumed of rows) {
    await resumeCause(tx, resumed.id)
    await setDigestDue(tx, resumed, nowMs)
  }
}
