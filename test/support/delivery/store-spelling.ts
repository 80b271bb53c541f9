import type { Database } from '#database/database.ts'
import { type Destination, fingerprintOf } from '#delivery/destinations.ts'
import { seal } from '#server/seal.ts'

/** Stores a destination as earlier versions did: each spelling of an address was one of its own. Returns its fingerprint. */
export async function storeSpelling(
  database: Database,
  id: string,
  one: Destination,
  secret: string,
): Promise<string> {
  const fingerprint = fingerprintOf(secret, one)
  const place = { purpose: 'delivery destination', row: [one.channel, fingerprint] }
  await database.query(
    `insert into delivery_destination (id, account, channel, fingerprint, sealed, masked)
     values ($1, $2, $3, decode($4, 'hex'), decode($5, 'hex'), '…')`,
    [id, one.account ?? '', one.channel, fingerprint, seal(one.destination, place, secret).toString('hex')],
  )
  return fingerprint
}
