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

/** A profile of Lantern, as the database stores it. */
const storedProfileSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The owner. Null if the profile belongs to the admins. */
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
  /** The profile sends the Shift page, and its search matches nothing. */
  isShift: z.boolean(),
  nextDigestAt: z.nullable(z.iso.datetime()),
  /** Earlier Shift digests contain all claims that were published before this time. Null before the first digest. */
  claimsUntil: z.nullable(z.iso.datetime()),
  nextProofAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type StoredProfile = z.infer<typeof storedProfileSchema>

/** `$1` is the reader. A pause that has expired counts as over, even before its end is stored. */
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

/** True if the account is a recipient. */
export const NOTIFIES = 'exists (select from alert_recipient where profile_id = profile.id and user_id = $1)'

const idSchema = z.object({ id: z.uuid() })

/** Lists the profiles whose deliveries an account may read: its own, the team's and those that notify it. */
export async function listReadableProfileIds(db: Database, accountId: string): Promise<string[]> {
  return readRows(db, onlyColumn(z.uuid()), [accountId])`
    select id from alert_profile profile where is_shared or account_id = $1 or ${NOTIFIES}`
}

/**
 * Lists the profiles whose deliveries an account may send again. A recipient of another person's private profile may
 * only read them.
 */
export async function listChangeableProfileIds(db: Database, accountId: string): Promise<string[]> {
  const rows = await readRows(db, idSchema, [accountId])`
    select id from alert_profile where is_shared or account_id = $1`
  return rows.map(({ id }) => id)
}

export type ProfileReader = { id: string; isAdmin: boolean }

export function profileReaderOf({ user }: ReaderSession): ProfileReader {
  return { id: user.id, isAdmin: user.role === 'admin' }
}

/** Lists the reader's own profiles, the team's and those that notify the reader. An admin gets all. */
export async function listProfiles(db: Database, { id, isAdmin }: ProfileReader): Promise<StoredProfile[]> {
  return readRows(db, storedProfileSchema, [id, isAdmin])`
    ${PROFILE} where $2 or is_shared or account_id = $1 or ${NOTIFIES}
     order by lower(profile.name), profile.created_at, profile.id`
}

/** Reads all profiles for evaluation. The matches of a paused profile are in the ledger as well, as not sent. */
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

/**
 * The search of a profile that sends the Shift page. It matches nothing, because earlier versions of Lantern evaluate
 * it.
 */
export const NOTHING: ThreatFilter = { q: 'id:none -id:none' }

/** Returns null if the account has the maximum number of profiles. */
export async function insertProfile(
  tx: Database,
  accountId: string,
  { name, filter, timeZone, isShared, schedule = AT_ONCE, isShift = false }: LanternProfileDraft,
  { maxCount, nowMs }: { maxCount: number; nowMs: number },
): Promise<string | null> {
  // The lock makes concurrent requests count one after the other.
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
 * If the profile's content, schedule, zone or state changes, waiting matches are sent with the next digest, or at once.
 * A profile that sends Shift again starts where its last Shift digest ended.
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

/** The weekly test is due on Mondays at 8:00. */
const PROOF: Schedule = { kind: 'weekly', weekday: 1, hour: 8 }

/** Schedules the next weekly test after a time. Null schedules none. */
export async function setNextProof(
  tx: Database,
  { id, timeZone }: StoredProfile,
  after: Date | null,
): Promise<void> {
  const due = after && digestAfter(after.getTime(), PROOF, timeZone)
  await tx.query('update alert_profile set proof_due = $2 where id = $1', [id, due])
}

/**
 * Schedules the next digest, because the due one is written now. Returns when the previous digest was written, or since
 * when the profile has digests. Returns null for the first Shift digest.
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

/** The next Shift digest starts with claims published at this time. */
export async function setClaimsUntil(tx: Database, { id }: StoredProfile, until: string): Promise<void> {
  await tx.query('update alert_profile set claims_until = $2 where id = $1', [id, until])
}

/** Schedules the next digest for the next hour of the profile's schedule. */
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
 * Passes profiles to the admins whose owner was disabled or became a viewer. The profiles continue to run. Admins are
 * notified by the bell, and a mail becomes due.
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

/** Sends the admins one mail about profiles that were passed to them, if a mail server is set up. */
export async function mailOwnerChanges(tx: Database, options: NoticeOptions): Promise<void> {
  const rows = await readRows(tx, nameSchema)`
    update alert_profile set is_pass_unmailed = false where is_pass_unmailed returning id, name`
  for (const profile of rows) await enqueueAdminMail(tx, describePass(profile), options)
}

/** The text omits the owner's name, because entries of the bell are kept after an account is erased. */
function describePass({ id, name }: z.infer<typeof nameSchema>) {
  return {
    subject: `The alert profile “${name}” is now the admins’`,
    text: 'Its owner has no access any more, or is a viewer. The profile still runs. Keep, change or delete it.',
    path: `/alerts?profile=${id}`,
  }
}

const resumedSchema = z.object({ id: z.uuid(), schedule: scheduleSchema, timeZone: z.string() })

/**
 * Activates profiles whose pause has expired. Matches from the pause stay unsent. Digests continue with the next one.
 */
export async function resumeDueProfiles(tx: Database, nowMs: number): Promise<void> {
  const rows = await readRows(tx, resumedSchema)`
    update alert_profile set state = 'active', paused_until = null where paused_until <= now()
    returning id, coalesce(shift_schedule, schedule) as schedule, time_zone as "timeZone"`
  for (const resumed of rows) {
    await resumeCause(tx, resumed.id)
    await setDigestDue(tx, resumed, nowMs)
  }
}
