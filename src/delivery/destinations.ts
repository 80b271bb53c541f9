import { createHmac, hkdfSync } from 'node:crypto'
import * as z from 'zod/mini'
import { maskDestination } from '#contract/bff/mask-address.ts'
import { mailboxOf } from '#contract/mailbox.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, readRows } from '#database/read-rows.ts'
import { openSealed, type SealedPlace, seal } from '#server/seal.ts'

/** The destination is in clear text. */
export type Destination = {
  /** The name of the channel. */
  readonly channel: string
  /** An address or a URL. */
  readonly destination: string
  /** Whose it is, where several share a ledger. */
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
 * Returns the id of each in the ledger, made where it is new, and how people see it there and anywhere: two that differ
 * read differently. All spellings of an email address are one: the one that was stored first.
 * Where an earlier version has stored several, it is the row with the lowest id.
 */
export async function storeDestinations(
  tx: Database,
  destinations: readonly Destination[],
  secret: string,
): Promise<(destination: Destination) => Stored> {
  await nameMailboxes(tx, secret)
  const named = new Map(destinations.toReversed().map((one) => [nameOf(secret, one), one]))
  // Both transactions take the rows in one order, so that neither waits for the other.
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
  // Rows from before lines existed, or before SECRET was replaced, are updated once.
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

/** Names the mailboxes of addresses that a Lantern before such names has stored. One that cannot be opened is its own. */
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

/** Null where it was sealed by another secret. */
export function openDestination(
  { channel, fingerprint, sealed }: { channel: string; fingerprint: string; sealed: string },
  secret: string,
): string | null {
  return openSealed(Buffer.from(sealed, 'hex'), placeOf(channel, fingerprint), secret)
}

/** After SECRET was replaced: seals anew what the one before opens. */
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
    // The same destination was stored under the new secret since: both are read until the old one's last message is sent.
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

/** Names the server that messages go to: they wait for each other, and for no others. All mail goes to one. */
function lineOf(secret: string, channel: string, destination: string): string {
  const host = URL.parse(destination)?.host ?? ''
  const name = createHmac('sha256', fingerprintKey(secret)).update(`line ${channel} ${host}`)
  return `${channel} ${name.digest('base64url')}`
}

function fingerprintKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'delivery fingerprint', 32))
}

/** The keyed hash by which the ledger finds a destination, an email address in any letter case. */
export function nameOf(secret: string, one: Destination): string {
  const isMail = one.channel === 'email'
  return fingerprintOf(secret, isMail ? { ...one, destination: mailboxOf(one.destination) } : one)
}

/** The keyed hash of one spelling: earlier versions have stored it. */
export function fingerprintOf(secret: string, { channel, destination, account = '' }: Destination): string {
  return createHmac('sha256', fingerprintKey(secret))
    .update(JSON.stringify([channel, destination, ...(account === '' ? [] : [account])]))
    .digest('hex')
}

function placeOf(channel: string, fingerprint: string): SealedPlace {
  return { purpose: PURPOSE, row: [channel, fingerprint] }
}
