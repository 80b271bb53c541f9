import * as z from 'zod/mini'
import type { DestinationHealth } from '#contract/bff/alert-health.ts'
import { type Recipient, recipientSchema, recipientUsersSchema } from '#contract/bff/recipient.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, readRows } from '#database/read-rows.ts'
import { type DestinationFacts, judgeHealth } from '#delivery/destination-health.ts'
import { readHealth } from '#delivery/destination-queries.ts'
import type { Destination } from '#delivery/destinations.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { openRecipient } from './recipient-seals.ts'

const storedRecipientSchema = z.object({
  id: z.uuid(),
  profileId: z.uuid(),
  channel: z.enum(['user', 'email', 'slack', 'teams', 'webhook']),
  userId: z.nullable(z.uuid()),
  /** The address of a user who may sign in. Null for other users. */
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  sealed: z.nullable(z.string()),
  masked: z.nullable(z.string()),
  sealedSecret: z.nullable(z.string()),
})
export type StoredRecipient = z.infer<typeof storedRecipientSchema>

type Sending = { secret: string; hasEmail: boolean }
/** The health is null for a user who gets no mail. */
export type RecipientHealth = { recipient: StoredRecipient; health: DestinationHealth | null }

/** Reports whether messages reach these recipients. */
export async function judgeRecipients(
  db: Database,
  recipients: readonly StoredRecipient[],
  sending: Sending,
): Promise<RecipientHealth[]> {
  const { secret } = sending
  const healthOf = await readHealth(db, destinationsOf(recipients, sending), { secret })
  const now = await readDatabaseTime(db)
  return recipients.map((recipient) => {
    const [destination] = destinationsOf([recipient], sending)
    const { channel } = recipient
    if (!destination && channel === 'user') return { recipient, health: null }
    const known = destination && healthOf(destination)
    return { recipient, health: known?.health ?? judgeHealth(unknownOf(channel, destination), now) }
  })
}

function unknownOf(channel: string, destination: Destination | undefined): DestinationFacts {
  return {
    channel,
    isOpenable: destination !== undefined,
    endedAt: null,
    provenAt: null,
    failingSince: null,
    fault: null,
    waitingSince: null,
    retriesAt: null,
  }
}

/** Describes the recipients of a profile as people see them. */
export async function describeRecipients(
  db: Database,
  profileId: string,
  sending: Sending,
): Promise<Recipient[]> {
  const judged = await judgeRecipients(db, await readRecipients(db, profileId), sending)
  return judged.map(({ recipient, health }) => toShown(recipient, health))
}

export async function readRecipients(db: Database, profileId: string): Promise<StoredRecipient[]> {
  return readRecipientsOf(db, [profileId])
}

/** Reads the recipients of several profiles. Null reads those of all profiles. */
export async function readRecipientsOf(
  db: Database,
  profileIds: readonly string[] | null,
): Promise<StoredRecipient[]> {
  return readRows(db, storedRecipientSchema, [profileIds])`
    select recipient.id, profile_id as "profileId", channel, user_id as "userId", account.name,
           case when disabled_at is null then email end as email,
           encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed, masked,
           encode(sealed_secret, 'hex') as "sealedSecret"
      from alert_recipient recipient left join account on account.id = user_id
     where $1::uuid[] is null or profile_id = any($1) order by profile_id, position, recipient.id`
}

function toShown(
  { id, channel, userId, name, masked }: StoredRecipient,
  health: DestinationHealth | null,
): Recipient {
  return recipientSchema.parse(
    channel === 'user'
      ? { id, channel, userId, name, ...(health && { health }) }
      : { id, channel, destination: masked, health },
  )
}

export type NewRecipient = Omit<StoredRecipient, 'email' | 'name' | 'profileId'>

/** Replaces the recipients of a profile. The order is kept. */
export async function replaceRecipients(
  db: Database,
  profileId: string,
  recipients: readonly NewRecipient[],
): Promise<void> {
  await execute(db, [profileId, recipients.map(({ id }) => id)])`
    delete from alert_recipient where profile_id = $1 and id <> all($2::uuid[])`
  const values = [
    profileId,
    JSON.stringify(recipients.map((recipient, position) => ({ ...recipient, position }))),
  ]
  await execute(db, values)`
    insert into alert_recipient
      (id, profile_id, position, channel, user_id, fingerprint, sealed, masked, sealed_secret)
    select id, $1, position, channel, "userId", decode(fingerprint, 'hex'), decode(sealed, 'hex'), masked,
           decode("sealedSecret", 'hex')
      from jsonb_to_recordset($2::jsonb)
        as given(id uuid, position integer, channel text, "userId" uuid, fingerprint text, sealed text, masked text,
                 "sealedSecret" text)
    on conflict (id) do update set position = excluded.position`
}

/** Returns true if the user was a recipient. */
export async function removeRecipient(db: Database, profileId: string, userId: string): Promise<boolean> {
  return affectsRows(db, [profileId, userId])`
    delete from alert_recipient where profile_id = $1 and user_id = $2`
}

/** Lists accounts that may sign in. */
export async function listActiveUsers(db: Database): Promise<z.infer<typeof recipientUsersSchema>['users']> {
  return readRows(db, recipientUsersSchema.shape.users.def.element)`
    select id, name, case when count(*) over (partition by lower(name)) > 1 then email end as email
      from account where disabled_at is null order by lower(name), email, id`
}

/** Counts those of the ids that are accounts that may sign in. */
export async function countActiveUsers(db: Database, ids: readonly string[]): Promise<number> {
  return execute(db, [ids])`
    select from account where id = any($1::uuid[]) and disabled_at is null`
}

type Notified = { channel: string; destination: string; fingerprint: string }

/** Excludes a delivery's matches if nobody at its destination is a recipient of their profile any more. */
export async function leaveOutUnwanted(
  tx: Database,
  { deliveryId, channel, destination, fingerprint }: Notified & { deliveryId: string },
): Promise<void> {
  await execute(tx, [deliveryId, channel, destination, fingerprint])`
    update delivery_match set left_out = 'removed'
     where delivery_id = $1 and left_out is null
       and exists (select from delivery_cause where id = cause_id and not is_team)
       and not exists (
         select from alert_recipient recipient left join account on account.id = user_id
          where profile_id::text = cause_id
            and ((channel = $2 and fingerprint = decode($4, 'hex'))
              or ($2 = 'email' and lower(email) = lower($3) and disabled_at is null)))`
}

/** Excludes a delivery's matches of our own service's profiles that no longer have its destination, in any spelling. */
export async function leaveOutFormer(tx: Database, deliveryId: string): Promise<void> {
  await execute(tx, [deliveryId])`
    update delivery_match matched set left_out = 'removed'
     where delivery_id = $1 and left_out is null
       and exists (select from source_profile where id = cause_id)
       and not exists (
         select from source_recipient recipient
           join delivery_destination former on former.id = matched.destination_id
           join delivery_destination current on current.id = recipient.destination_id
          where profile_id = cause_id
            and coalesce(current.mailbox, current.fingerprint) = coalesce(former.mailbox, former.fingerprint))`
}

/** Returns true if an address belongs to an account that may sign in. */
export async function isAddressOfUser(db: Database, address: string): Promise<boolean> {
  return affectsRows(db, [address])`
    select from account where lower(email) = lower($1) and disabled_at is null`
}

/** Returns the destinations of a profile. Users who may not sign in get none. */
export function destinationsOf(
  recipients: readonly StoredRecipient[],
  { secret, hasEmail }: Sending,
): Destination[] {
  return recipients.flatMap(({ channel, email, fingerprint, sealed }): Destination[] => {
    if (channel === 'user')
      return hasEmail && email !== null ? [{ channel: 'email', destination: email }] : []
    if (fingerprint === null || sealed === null) return []
    const destination = openRecipient(secret, channel, { fingerprint, sealed })
    return destination === null ? [] : [{ channel, destination }]
  })
}
