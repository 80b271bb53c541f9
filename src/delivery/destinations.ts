import { createHmac, hkdfSync } from 'node:crypto'
import * as z from 'zod/mini'
import { maskDestination } from '#contract/bff/mask-address.ts'
import { mailboxOf } from '#contract/mailbox.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, readRows } from '#database/read-rows.ts'
import { openSealed, type SealedPlace, seal } from '#server/seal.ts'

/** An email address or a URL in clear text. */
export type Destination = {
  /** The name of the channel. */
  readonly channel: string
  /** An address or a URL. */
  readonly destination: string
  /** The owner of the destination, if several accounts share a ledger. */
  readonly account?: string | undefined
}

const PURPOSE = 'delivery destination'

const storedSchema = z.object({ id: z.uuid(), masked: z.string(), name: z.string() })

const sealedSchema = z.object({
  id: z.uuid(),
  account: z.string(),
  channel: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
})

type Stored = z.infer<typeof storedSchema>

/**
 * Stores destinations that are new. Returns for each its id in the ledger and a masked label, which is different for
 * each destination. All spellings of an email address are one destination, shown as it was first stored. If an earlier
 * version stored several spellings, the row with the lowest id counts.
 */
export async function storeDestinations(
  tx: Database,
  destinations: readonly Destination[],
  secret: string,
): Promise<(destination: Destination) => Stored> {
  await nameMailboxes(tx, secret)
  const named = new Map(destinations.toReversed().map((one) => [nameOf(secret, one), one]))
  // All transactions lock the rows in the same order, which prevents deadlocks.
  const rows = [...named]
    .map(([name, { account = '', channel, destination }]) => ({
      account,
      channel,
      name,
      mailbox: channel === 'email' ? name : null,
      sealed: seal(destination, placeOf(channel, name), secret).toString('hex'),
      masked: maskDestination(channel, destination),
      line: lineOf(secret, channel, destination),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  await execute(tx, [JSON.stringify(rows)])`
    insert into delivery_destination (account, channel, fingerprint, mailbox, sealed, masked, line)
    select account, channel, decode(name, 'hex'), decode(mailbox, 'hex'), decode(sealed, 'hex'),
           case when place > 1 or exists (
                  select from delivery_destination other
                   where (other.account, other.channel, other.masked) = (given.account, given.channel, given.masked))
                then masked || ' (#' || left(name, 4) || ')' else masked end,
           line
      from (select *, row_number() over (partition by account, channel, masked order by name) as place
              from jsonb_to_recordset($1::jsonb)
                as given(account text, channel text, name text, mailbox text, sealed text, masked text, line text)) given
     where not exists (select from delivery_destination where coalesce(mailbox, fingerprint) = decode(given.name, 'hex'))
    on conflict do nothing`
  // This updates rows once that were stored before `line` existed, or before SECRET was replaced.
  await execute(tx, [JSON.stringify(rows)])`
    update delivery_destination stored set line = given.line
      from jsonb_to_recordset($1::jsonb) as given(name text, line text)
     where coalesce(stored.mailbox, stored.fingerprint) = decode(given.name, 'hex') and stored.line <> given.line`
  const stored = await readRows(tx, storedSchema, [[...named.keys()]])`
    select distinct on (name) id, masked, encode(coalesce(mailbox, fingerprint), 'hex') as name
      from delivery_destination
     where coalesce(mailbox, fingerprint) in (select decode(unnest($1::text[]), 'hex'))
     order by name, id`
  const found = new Map(stored.map((row) => [row.name, row]))
  return (destination) => {
    const row = found.get(nameOf(secret, destination))
    if (!row) throw new Error('A destination that was stored is there')
    return row
  }
}

/**
 * Adds the name of the mailbox to email addresses that an earlier version of Lantern stored. An address that cannot be
 * decrypted counts as a mailbox of its own.
 */
async function nameMailboxes(tx: Database, secret: string): Promise<void> {
  const rows = await readRows(tx, sealedSchema)`
    select id, account, channel, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed
      from delivery_destination where channel = 'email' and mailbox is null and octet_length(sealed) > 0
     order by id for no key update`
  if (rows.length === 0) return
  const named = rows.map(({ id, account, ...row }) => {
    const destination = openDestination(row, secret)
    const { channel, fingerprint } = row
    return {
      id,
      mailbox: destination === null ? fingerprint : nameOf(secret, { account, channel, destination }),
    }
  })
  await execute(tx, [JSON.stringify(named)])`
    update delivery_destination stored set mailbox = decode(given.mailbox, 'hex')
      from jsonb_to_recordset($1::jsonb) as given(id uuid, mailbox text)
     where stored.id = given.id and stored.mailbox is null and octet_length(stored.sealed) > 0`
}

/** Returns null if the destination was sealed with another secret. */
export function openDestination(
  { channel, fingerprint, sealed }: { channel: string; fingerprint: string; sealed: string },
  secret: string,
): string | null {
  return openSealed(Buffer.from(sealed, 'hex'), placeOf(channel, fingerprint), secret)
}

/** Seals destinations with the new SECRET after the operator replaced it. */
export async function resealDestinations(
  db: Database,
  { secret, before }: { secret: string; before: string },
): Promise<void> {
  const rows = await readRows(db, sealedSchema)`
    select id, account, channel, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed
      from delivery_destination order by id`
  for (const { id, ...row } of rows) {
    const destination = openDestination(row, secret) === null ? openDestination(row, before) : null
    if (destination === null) continue
    const name = nameOf(secret, { account: row.account, channel: row.channel, destination })
    const isRenamed = await replaceSealed(db, { id, ...row, fingerprint: name, name, destination, secret })
    // The new secret has a row of the same destination already. Both rows are read until the last message of the old
    // row is sent.
    if (!isRenamed) await replaceSealed(db, { id, ...row, name, destination, secret })
  }
}

async function replaceSealed(
  db: Database,
  row: {
    id: string
    channel: string
    fingerprint: string
    name: string
    destination: string
    secret: string
  },
): Promise<boolean> {
  const sealed = seal(row.destination, placeOf(row.channel, row.fingerprint), row.secret)
  return affectsRows(db, [row.id, row.channel, row.fingerprint, sealed.toString('hex'), row.name])`
    update delivery_destination
       set fingerprint = decode($3, 'hex'), sealed = decode($4, 'hex'),
           mailbox = case when channel = 'email' then decode($5, 'hex') end
     where id = $1 and not exists (
       select from delivery_destination where channel = $2 and fingerprint = decode($3, 'hex') and id <> $1)`
}

/** Identifies the server that receives the messages. Each server has its own queue; all mail uses one server. */
function lineOf(secret: string, channel: string, destination: string): string {
  const host = URL.parse(destination)?.host ?? ''
  const name = createHmac('sha256', fingerprintKey(secret)).update(`line ${channel} ${host}`)
  return `${channel} ${name.digest('base64url')}`
}

function fingerprintKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'delivery fingerprint', 32))
}

/**
 * Returns the keyed hash by which the ledger finds a destination. The hash ignores the letter case of email addresses.
 */
export function nameOf(secret: string, one: Destination): string {
  const isMail = one.channel === 'email'
  return fingerprintOf(secret, isMail ? { ...one, destination: mailboxOf(one.destination) } : one)
}

/** Returns the keyed hash of one spelling, which earlier versions stored. */
export function fingerprintOf(secret: string, { channel, destination, account = '' }: Destination): string {
  return createHmac('sha256', fingerprintKey(secret))
    .update(JSON.stringify([channel, destination, ...(account === '' ? [] : [account])]))
    .digest('hex')
}

function placeOf(channel: string, fingerprint: string): SealedPlace {
  return { purpose: PURPOSE, row: [channel, fingerprint] }
}
