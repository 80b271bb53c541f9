import { createHmac, hkdfSync } from 'node:crypto'
import * as z from 'zod/mini'
import { DAY_MS } from '#contract/duration.ts'
import { mailboxOf } from '#contract/mailbox.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, readRows } from '#database/read-rows.ts'
import { createWebhookSecret } from '#delivery/channels/sign-webhook.ts'
import { openSealed, seal } from '#server/seal.ts'

/** The database stores an address or a URL in this form, as hexadecimal text. */
export type SealedRecipient = { fingerprint: string; sealed: string }

// This word stays unchanged, because earlier versions sealed recipients with it.
const PURPOSE = 'watch recipient'
const SIGNING_PURPOSE = 'watch webhook secret'
const rowSchema = z.object({
  id: z.uuid(),
  channel: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
  sealedSecret: z.nullable(z.string()),
  formerSecret: z.nullable(z.string()),
})

/** Returns the keyed hash by which the same destination is found again. */
export function fingerprintOf(secret: string, channel: string, destination: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'watch recipient fingerprint', 32))
  const named = channel === 'email' ? mailboxOf(destination) : destination
  return createHmac('sha256', key)
    .update(JSON.stringify([channel, named]))
    .digest('hex')
}

export function sealRecipient(secret: string, channel: string, destination: string): SealedRecipient {
  const fingerprint = fingerprintOf(secret, channel, destination)
  const place = { purpose: PURPOSE, row: [channel, fingerprint] }
  return { fingerprint, sealed: seal(destination, place, secret).toString('hex') }
}

/** Returns null if the recipient was sealed with another secret. */
export function openRecipient(
  secret: string,
  channel: string,
  { fingerprint, sealed }: SealedRecipient,
): string | null {
  return openSealed(Buffer.from(sealed, 'hex'), { purpose: PURPOSE, row: [channel, fingerprint] }, secret)
}

export function sealSigningSecret(secret: string, fingerprint: string, signing: string): string {
  return seal(signing, { purpose: SIGNING_PURPOSE, row: [fingerprint] }, secret).toString('hex')
}

/** For this long, messages are also signed with the former secret, so that receivers can change to the new one. */
const OVERLAP_MS = DAY_MS

/** Creates a new signing secret for a webhook of a profile. Returns null if the profile has no such webhook. */
export async function replaceSigningSecret(
  tx: Database,
  { profileId, recipientId }: { profileId: string; recipientId: string },
  { secret, nowMs }: { secret: string; nowMs: number },
): Promise<string | null> {
  const stored = await findRow(tx, z.object({ fingerprint: z.string() }), [recipientId, profileId])`
    select encode(fingerprint, 'hex') as fingerprint from alert_recipient
     where id = $1 and profile_id = $2 and channel = 'webhook'`
  if (!stored) return null
  const signing = createWebhookSecret()
  const values = [
    recipientId,
    sealSigningSecret(secret, stored.fingerprint, signing),
    new Date(nowMs + OVERLAP_MS),
  ]
  await execute(tx, values)`
    update alert_recipient
       set former_secret = sealed_secret, former_until = $3, sealed_secret = decode($2, 'hex') where id = $1`
  return signing
}

/** Reads the secrets that sign messages to a webhook: those of each profile that has the webhook. */
export async function readSigningSecrets(
  db: Database,
  secret: string,
  url: string,
  nowMs = Date.now(),
): Promise<string[]> {
  const fingerprint = fingerprintOf(secret, 'webhook', url)
  const sealed = await readRows(db, z.object({ sealed: z.nullable(z.string()) }), [
    fingerprint,
    new Date(nowMs),
  ])`
    select encode(unnest(array[sealed_secret, case when former_until > $2 then former_secret end]), 'hex') as sealed
      from alert_recipient where channel = 'webhook' and fingerprint = decode($1, 'hex') order by id`
  return sealed.flatMap((row) =>
    row.sealed ? (openSigningSecret(secret, fingerprint, row.sealed) ?? []) : [],
  )
}

function openSigningSecret(secret: string, fingerprint: string, sealed: string): string | null {
  const place = { purpose: SIGNING_PURPOSE, row: [fingerprint] }
  // Before migration 0132, the former secret and its end were sealed behind this secret.
  return openSealed(Buffer.from(sealed, 'hex'), place, secret)?.split(' ')[0] ?? null
}

/** Seals recipients with the new SECRET after the operator replaced it. */
export async function resealRecipients(
  db: Database,
  { secret, before }: { secret: string; before: string },
): Promise<void> {
  const rows = await readRows(db, rowSchema)`
    select id, channel, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed,
           encode(sealed_secret, 'hex') as "sealedSecret", encode(former_secret, 'hex') as "formerSecret"
      from alert_recipient where sealed is not null`
  for (const row of rows) {
    const destination =
      openRecipient(secret, row.channel, row) === null ? openRecipient(before, row.channel, row) : null
    if (destination === null) continue
    const { fingerprint, sealed } = sealRecipient(secret, row.channel, destination)
    const signing = [row.sealedSecret, row.formerSecret].map((one) => {
      const opened = one && openSigningSecret(before, row.fingerprint, one)
      return opened && sealSigningSecret(secret, fingerprint, opened)
    })
    await execute(db, [row.id, fingerprint, sealed, ...signing])`
      update alert_recipient
         set fingerprint = decode($2, 'hex'), sealed = decode($3, 'hex'),
             sealed_secret = coalesce(decode($4, 'hex'), sealed_secret),
             former_secret = coalesce(decode($5, 'hex'), former_secret)
       where id = $1`
  }
}
