import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { findRow, readRows } from '#database/read-rows.ts'
import { openDestination } from '#delivery/destinations.ts'
import { ringBells } from './inbox-queries.ts'
import { listAdmins } from './list-admins.ts'
import { fingerprintOf } from './recipient-seals.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe'
const ID_BYTES = 16
const MAC_BYTES = 16
const TOKEN_LENGTH = 43

/**
 * Returns the link by which the recipient of a mail unsubscribes from its profiles. The link contains only the
 * message's id.
 */
export function unsubscribeLink(secret: string, origin: string, deliveryId: string): string {
  const id = Buffer.from(deliveryId.replaceAll('-', ''), 'hex')
  const token = Buffer.concat([id, macOf(secret, id)]).toString('base64url')
  return `${origin}${UNSUBSCRIBE_PATH}/${token}`
}

/** Returns the id of the message that a link's token names. Null if Lantern did not create the link. */
export function readUnsubscribeToken(token: string, secrets: readonly string[]): string | null {
  const bytes = Buffer.from(token, 'base64url')
  if (token.length !== TOKEN_LENGTH || bytes.length !== ID_BYTES + MAC_BYTES) return null
  const [id, mac] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)]
  if (!secrets.some((secret) => timingSafeEqual(mac, macOf(secret, id)))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function macOf(secret: string, id: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'unsubscribe link', 32))
  return createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES)
}

const sealedSchema = z.object({
  channel: z.string(),
  masked: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
})
const removedSchema = z.object({
  profileId: z.uuid(),
  name: z.string(),
  /** The owner. Null if the profile belongs to the admins. */
  accountId: z.nullable(z.uuid()),
  channel: z.enum(['user', 'email']),
  userId: z.nullable(z.uuid()),
})

/** The address that received the mail. Pages and audit records show it masked. */
export type Unsubscriber = { address: string; masked: string }

/** A profile that no longer notifies an address. */
export type Unsubscribed = {
  profileId: string
  name: string
  /** The owner. Null if the profile belongs to the admins. */
  accountId: string | null
  /** Names the recipient in the audit record: the channel with a user's id, or with the masked address. */
  recipient: string
}

/** Returns null if the message was deleted from the ledger, or if its address cannot be decrypted. */
export async function findUnsubscriber(
  tx: Database,
  deliveryId: string,
  secret: string,
): Promise<Unsubscriber | null> {
  const destination = await findRow(tx, sealedSchema, [deliveryId])`
    select channel, masked, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed
      from delivery join delivery_destination destination on destination.id = destination_id
     where delivery.id = $1 and channel = 'email'`
  const address = destination && openDestination(destination, secret)
  return address ? { address, masked: destination.masked } : null
}

/** Removes the address of a message from its profiles in Lantern, as a typed address and as a user. */
export async function leaveProfiles(
  tx: Database,
  deliveryId: string,
  { address, masked }: Unsubscriber,
  secret: string,
): Promise<Unsubscribed[]> {
  const values = [deliveryId, fingerprintOf(secret, 'email', address), address]
  const rows = await readRows(tx, removedSchema, values)`
    delete from alert_recipient recipient using alert_profile profile
     where profile.id = profile_id
       and profile.id::text in (select cause_id from delivery_match where delivery_id = $1 and left_out is null)
       and ((channel = 'email' and fingerprint = decode($2, 'hex'))
         or user_id in (select id from account where lower(email) = lower($3)))
    returning profile.id as "profileId", profile.name, account_id as "accountId", channel, user_id as "userId"`
  return rows.map(({ channel, userId, ...profile }) => ({
    ...profile,
    recipient: `${channel} ${userId ?? masked}`,
  }))
}

/** Notifies the owner by the bell, or the admins if there is no owner. */
export async function ringUnsubscribed(
  tx: Database,
  { masked }: Unsubscriber,
  { profileId, name, accountId }: Unsubscribed,
): Promise<void> {
  const owners = accountId === null ? (await listAdmins(tx)).map(({ id }) => id) : [accountId]
  await ringBells(tx, owners, {
    kind: 'notice',
    title: `${masked} unsubscribed from “${name}”`,
    detail: 'Used the link in a message. Other recipients still get messages.',
    path: `/alerts?profile=${encodeURIComponent(profileId)}`,
  })
}
