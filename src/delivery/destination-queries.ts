import * as z from 'zod/mini'
import type { DestinationHealth } from '#contract/bff/alert-health.ts'
import type { Database } from '#database/database.ts'
import { execute, readRow, readRows } from '#database/read-rows.ts'
import { judgeHealth } from './destination-health.ts'
import { type Destination, fingerprintOf, nameOf, openDestination } from './destinations.ts'
import { type LedgerAccess, readLedgerTime } from './ledger-access.ts'

const factsSchema = z.object({
  id: z.uuid(),
  channel: z.string(),
  masked: z.string(),
  fingerprint: z.string(),
  name: z.string(),
  sealed: z.string(),
  endedAt: z.nullable(z.coerce.date()),
  provenAt: z.nullable(z.coerce.date()),
  failingSince: z.nullable(z.coerce.date()),
  fault: z.nullable(z.object({ code: z.nullable(z.string()), excerpt: z.string() })),
  waitingSince: z.nullable(z.coerce.date()),
  retriesAt: z.nullable(z.coerce.date()),
})

export type KnownDestination = { id: string; channel: string; masked: string; health: DestinationHealth }

/** Reads the health of destinations by their ids in the ledger. */
export async function readHealthById(
  db: Database,
  ids: readonly string[],
  access: LedgerAccess,
): Promise<KnownDestination[]> {
  return (await readFacts(db, 'destination.id = any($1::uuid[])', ids, access)).map(({ known }) => known)
}

/** Reads the health of destinations in clear text. Returns null for a destination that never received a message. */
export async function readHealth(
  db: Database,
  destinations: readonly Destination[],
  access: LedgerAccess,
): Promise<(destination: Destination) => KnownDestination | null> {
  const names = (destination: Destination) => namesOf(access.secret, destination)
  const read = await readFacts(db, HAS_NAME, destinations.flatMap(names), access)
  // Rows are ordered so that the row with the lowest id is the last of its name. New messages use that row.
  const named = new Map(
    read.flatMap(({ fingerprint, name, known }) => [[fingerprint, known] as const, [name, known] as const]),
  )
  return (destination) =>
    names(destination)
      .map((name) => named.get(name))
      .find(Boolean) ?? null
}

const HAS_NAME = `coalesce(mailbox, fingerprint) in (select decode(unnest($1::text[]), 'hex'))`

/** Returns the names by which a destination may be stored. Earlier versions stored only the hash of its spelling. */
function namesOf(secret: string, destination: Destination): string[] {
  return [...new Set([nameOf(secret, destination), fingerprintOf(secret, destination)])]
}

async function readFacts(
  db: Database,
  where: string,
  names: readonly string[],
  access: LedgerAccess,
): Promise<{ fingerprint: string; name: string; known: KnownDestination }[]> {
  if (names.length === 0) return []
  const rows = await readRows(db, factsSchema, [names])`
    select destination.id, channel, masked, encode(fingerprint, 'hex') as fingerprint,
           encode(coalesce(mailbox, fingerprint), 'hex') as name, encode(sealed, 'hex') as sealed,
           ended_at as "endedAt", proven_at as "provenAt", failing_since as "failingSince",
           case when fault is not null then json_build_object('code', fault_code, 'excerpt', fault) end as fault,
           "waitingSince", greatest("nextAt", case when "nextAt" is not null then not_before end) as "retriesAt"
      from delivery_destination destination,
           lateral (
             select min(coalesce(started_at, next_attempt_at)) as "waitingSince",
                    min(next_attempt_at) filter (where state = 'retrying') as "nextAt"
               from delivery
               left join delivery_attempt on delivery_id = delivery.id and number = attempts_before + 1
              where destination_id = destination.id and state in ('queued', 'sending', 'retrying') and kind <> 'test') waiting
     where ${where} order by destination.id desc`
  const now = await readLedgerTime(db, access)
  return rows.map(({ fingerprint, name, sealed, ...facts }) => {
    const { id, channel, masked } = facts
    const isOpenable = openDestination({ channel, fingerprint, sealed }, access.secret) !== null
    return {
      fingerprint,
      name,
      known: { id, channel, masked, health: judgeHealth({ ...facts, isOpenable }, now) },
    }
  })
}

const countsSchema = z.object({ ended: z.int(), failing: z.int(), proven: z.int(), unproven: z.int() })

/** Counts the destinations of the ledger by state, without decrypting them. */
export async function countDestinations(db: Database): Promise<z.infer<typeof countsSchema>> {
  return readRow(db, countsSchema)`
    select count(*) filter (where ended_at is not null) as ended,
           count(*) filter (where ended_at is null and failing_since is not null) as failing,
           count(*) filter (where ended_at is null and failing_since is null and proven_at is not null) as proven,
           count(*) filter (where ended_at is null and failing_since is null and proven_at is null) as unproven
      from delivery_destination`
}

/** Keeps the health of destinations that are recipients, even if no message was sent to them for a long time. */
export async function keepDestinations(
  db: Database,
  destinations: readonly Destination[],
  access: LedgerAccess,
): Promise<void> {
  const names = destinations.flatMap((destination) => namesOf(access.secret, destination))
  await execute(db, [names, await readLedgerTime(db, access)])`
    update delivery_destination set touched_at = $2 where ${HAS_NAME}`
}
