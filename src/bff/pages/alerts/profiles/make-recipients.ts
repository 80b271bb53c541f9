import { randomUUID } from 'node:crypto'
import { ProblemError } from '#bff/http/problem-error.ts'
import { countActiveUsers, type NewRecipient, type StoredRecipient } from '#bff/notify/recipient-queries.ts'
import { sealRecipient, sealSigningSecret } from '#bff/notify/recipient-seals.ts'
import type { RecipientDraft } from '#contract/bff/recipient.ts'
import type { Database } from '#database/database.ts'
import { placeDestination, type Reach } from '#delivery/channels/destination.ts'
import { findAddressFault } from '#delivery/channels/email-channel.ts'
import { createWebhookSecret } from '#delivery/channels/sign-webhook.ts'
import { storeDestinations } from '#delivery/destinations.ts'

export type RecipientOptions = {
  secret: string
  /** A mail server is set up. */
  hasEmail: boolean
  /** The value of `NOTIFY_DOMAINS`; any domain if it is empty. */
  domains: readonly string[]
  reach: Reach
}

const USERS_ONLY = 'A digest of Shift goes to users of Lantern only: it has comments of the team.'

/** `isShift`: what the team wrote is in the profile's digests, and goes to users only. */
type MakeOptions = RecipientOptions & { isShift: boolean }

type Made = { recipients: NewRecipient[]; secrets: Record<string, string> }

/** The recipients that a draft means, those that are kept among them; the secrets of new webhooks are shown once. */
export async function makeRecipients(
  db: Database,
  drafts: readonly RecipientDraft[],
  kept: readonly StoredRecipient[],
  options: MakeOptions,
): Promise<Made> {
  const keptById = new Map(kept.map((recipient) => [recipient.id, recipient]))
  const secrets: Record<string, string> = {}
  const added = drafts.flatMap((draft) =>
    draft.channel === 'kept' || draft.channel === 'user'
      ? []
      : { channel: draft.channel, destination: destinationOf(draft) },
  )
  const find = await storeDestinations(db, added, options.secret)
  const made = drafts.map((draft, at): NewRecipient => {
    if (draft.channel === 'kept') {
      const known = keptById.get(draft.id)
      if (!known) throw fault(at, 'The profile has no such recipient any more.')
      if (options.isShift && known.channel !== 'user') throw fault(at, USERS_ONLY)
      const { email: _email, name: _name, ...recipient } = known
      return recipient
    }
    const id = randomUUID()
    const none = { userId: null, fingerprint: null, sealed: null, masked: null, sealedSecret: null }
    if (draft.channel === 'user') return { ...none, id, channel: 'user', userId: draft.userId }
    const destination = destinationOf(draft)
    const reason = findFault(draft, options)
    if (reason !== null) throw fault(at, reason)
    const sealed = sealRecipient(options.secret, draft.channel, destination)
    const { masked } = find({ channel: draft.channel, destination })
    const signing = draft.channel === 'webhook' ? createWebhookSecret() : null
    if (signing !== null) secrets[id] = signing
    const sealedSecret = signing && sealSigningSecret(options.secret, sealed.fingerprint, signing)
    return { ...none, id, channel: draft.channel, ...sealed, masked, sealedSecret }
  })
  const users = [...new Set(made.flatMap(({ userId }) => userId ?? []))]
  const addedUsers = users.filter((id) => !kept.some(({ userId }) => userId === id))
  if ((await countActiveUsers(db, addedUsers)) < addedUsers.length)
    throw fault(
      drafts.findIndex(({ channel }) => channel === 'user'),
      'This user has no access to Lantern.',
    )
  return { recipients: distinct(made), secrets }
}

/** A destination that is named twice is one recipient; the one that is there already stays. */
function distinct(recipients: readonly NewRecipient[]): NewRecipient[] {
  const nameOf = ({ channel, userId, fingerprint }: NewRecipient) => `${channel} ${userId ?? fingerprint}`
  const seen = new Set<string>()
  return recipients.filter((recipient) => {
    const name = nameOf(recipient)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

type Typed = Exclude<RecipientDraft, { channel: 'kept' | 'user' }>

function destinationOf(draft: Typed): string {
  return draft.channel === 'email' ? draft.address : draft.url
}

function findFault(draft: Typed, { isShift, hasEmail, domains, reach }: MakeOptions): string | null {
  if (isShift) return USERS_ONLY
  if (draft.channel === 'email') {
    if (!hasEmail) return 'Email is not set up: an operator sets SMTP_URL and MAIL_FROM.'
    return findAddressFault(draft.address, domains)
  }
  const placed = placeDestination(draft.channel, draft.url, reach)
  return placed.kind === 'refused' ? placed.reason : null
}

function fault(at: number, reason: string): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    title: 'A recipient cannot be notified',
    detail: reason,
    fields: [{ name: `recipients.${at}`, reason }],
  })
}
