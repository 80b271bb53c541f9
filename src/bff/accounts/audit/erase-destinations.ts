import * as z from 'zod/mini'
import { openRecipient } from '#bff/notify/recipient-seals.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { openDestination } from '#delivery/destinations.ts'

const sealedSchema = z.object({
  id: z.uuid(),
  isRecipient: z.boolean(),
  fingerprint: z.string(),
  sealed: z.string(),
})

/** The ledger stores the answers of mail servers in these columns. */
const ANSWERS = [
  ['delivery_attempt', 'excerpt'],
  ['delivery_destination', 'fault'],
] as const

export type ErasedDestinations = {
  /** Messages to the person, which the ledger keeps without their address. */
  messages: number
  /** Profiles that had their address as a recipient, beside their account. */
  recipients: number
  /** Addresses that no SECRET opens: whose they are is not known. */
  unopened: number
}

/**
 * Erases a person from the ledger and alert profiles, in any letter case: their addresses, sealed, masked and in answers of
 * mail servers, and their names as those who requested a test, or with all the text of a report. Messages that wait for
 * them are not sent.
 */
export async function eraseDestinations(
  tx: Database,
  { words, addresses, secrets, mark }: Erased,
): Promise<ErasedDestinations> {
  const rows = await readRows(tx, sealedSchema)`
    select id, false as "isRecipient", encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed
      from delivery_destination where channel = 'email' and octet_length(sealed) > 0
    union all
    select id, true, encode(fingerprint, 'hex'), encode(sealed, 'hex')
      from alert_recipient where channel = 'email'`
  const destinations: string[] = []
  const recipients: string[] = []
  let unopened = 0
  for (const { id, isRecipient, ...sealed } of rows) {
    const address = openOne({ isRecipient, ...sealed }, secrets)
    if (address === null) unopened++
    else if (addresses.includes(address.toLowerCase())) (isRecipient ? recipients : destinations).push(id)
  }
  const messages = await eraseLedger(tx, destinations, mark)
  await tx.query('delete from alert_recipient where id = any($1::uuid[])', [recipients])
  await execute(tx, [words, mark])`
    update delivery set content = jsonb_set(content, '{requestedBy}', to_jsonb($2::text))
     where kind = 'test' and lower(content ->> 'requestedBy') = any($1)`
  // Reports name who acted, who owns cases and whom comments mention. Those that only seem to name the person go, too.
  const values = [
    words.map((word) => JSON.stringify(word).slice(1, -1)),
    `Left out, because it named an ${mark}.`,
  ]
  await execute(tx, values)`
    update delivery set content = content - 'report' || jsonb_build_object('text', $2::text)
     where kind = 'digest' and content ? 'report'
       and exists (select from unnest($1::text[]) as listed (word) where strpos(lower(content::text), word) > 0)`
  for (const [table, column] of ANSWERS) {
    await execute(tx, [addresses, mark])`
      update ${table} set ${column} = $2
       where exists (select from unnest($1::text[]) as listed (word) where strpos(lower(${column}), word) > 0)`
  }
  return { messages, recipients: recipients.length, unopened }
}

type Erased = {
  /** The person's names and addresses, in lower case. */
  words: readonly string[]
  addresses: readonly string[]
  secrets: readonly string[]
  mark: string
}

function openOne(
  { isRecipient, ...sealed }: { isRecipient: boolean; fingerprint: string; sealed: string },
  secrets: readonly string[],
): string | null {
  for (const secret of secrets) {
    const address = isRecipient
      ? openRecipient(secret, 'email', sealed)
      : openDestination({ ...sealed, channel: 'email' }, secret)
    if (address !== null) return address
  }
  return null
}

async function eraseLedger(tx: Database, ids: readonly string[], mark: string): Promise<number> {
  // Claiming a delivery locks in the same order: its row first, then the destination's.
  await tx.query('select from delivery where destination_id = any($1::uuid[]) order by id for update', [ids])
  await execute(tx, [ids])`
    update delivery_match set left_out = 'removed'
     where destination_id = any($1::uuid[]) and left_out is null
       and delivery_id in (select id from delivery where next_attempt_at is not null)`
  await execute(tx, [ids])`
    delete from delivery_match where destination_id = any($1::uuid[]) and delivery_id is null`
  await execute(tx, [ids])`
    update delivery set state = 'notSent', reason = 'removed', next_attempt_at = null, is_open = false
     where destination_id = any($1::uuid[]) and next_attempt_at is not null`
  await execute(tx, [ids, mark])`
    update delivery_destination
       set sealed = '', masked = $2, is_kept = false, fault = case when fault is not null then $2 end,
           mailbox = null, fingerprint = sha256(convert_to(gen_random_uuid()::text, 'utf8'))
     where id = any($1::uuid[])`
  return execute(tx, [ids])`select from delivery where destination_id = any($1::uuid[])`
}
