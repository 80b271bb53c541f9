import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { type Destination, storeDestinations } from './destinations.ts'
import { type LedgerAccess, readLedgerTime, toStorableJson, wakeWorkers } from './ledger-access.ts'
import type { Cause, Message, NotifiedThreat } from './message.ts'

/** A threat, and what happened to it. */
export type NewMatch = {
  /**
   * Identifies the event. The ledger stores one match per event, cause and destination, even if it is enqueued twice.
   */
  readonly event: string
  readonly threat: NotifiedThreat
}

/** A match is one event and the profiles and destinations that it concerns. */
export type Match = NewMatch & {
  readonly cause: Cause
  /** `storeDestinations` returns these ids. */
  readonly destinationIds: readonly string[]
}

const idSchema = z.object({ id: z.uuid() })

/**
 * Writes matches within the caller's transaction, so that a rollback sends nothing. It does not wait for workers or
 * other matches. Returns the number of new matches.
 */
export async function enqueueMatches(
  tx: Database,
  matches: readonly Match[],
  access: LedgerAccess,
): Promise<number> {
  if (matches.length === 0) return 0
  await storeCauses(
    tx,
    matches.map(({ cause }) => cause),
  )
  const now = await readLedgerTime(tx, access)
  const rows = matches.flatMap(({ event, cause, threat, destinationIds }) =>
    destinationIds.map((destination_id) => ({
      event,
      cause_id: cause.id,
      destination_id,
      threat_id: threat.id,
      threat,
    })),
  )
  const rowCount = await execute(tx, [toStorableJson(rows), now])`
    insert into delivery_match (event, cause_id, destination_id, threat_id, threat, matched_at)
    select event, cause_id, destination_id, threat_id, threat, $2
      from jsonb_to_recordset($1::jsonb)
        as given(event text, cause_id text, destination_id uuid, threat_id text, threat jsonb)
    on conflict (event, cause_id, destination_id) do nothing`
  if (rowCount > 0) await wakeWorkers(tx)
  return rowCount
}

type NewDigest = {
  /** The due time identifies the digest: a profile has one digest of that time. */
  readonly dueAt: Date
  readonly cause: Cause
  readonly content: Extract<Message, { kind: 'digest' | 'notice' }>
  /** All matches of the period. */
  readonly matches: readonly NewMatch[]
  readonly destinationIds: readonly string[]
}

/**
 * Writes the digest of a profile, due now, in the transaction that claims its matches. The first match has no threat:
 * it represents the profile in an empty digest.
 */
export async function enqueueDigest(
  tx: Database,
  { dueAt, cause, content, matches, destinationIds }: NewDigest,
  access: LedgerAccess,
): Promise<void> {
  if (destinationIds.length === 0) return
  await storeCauses(tx, [cause])
  const rows = [
    { event: `digest:${dueAt.toISOString()}`, threat_id: '', threat: {} },
    ...matches.map(({ event, threat }) => ({ event, threat_id: threat.id, threat })),
  ]
  const now = await readLedgerTime(tx, access)
  const values = [destinationIds, toStorableJson(content), cause.id, toStorableJson(rows), now]
  await execute(tx, values)`
    with made as (
      insert into delivery (destination_id, kind, content, next_attempt_at, created_at, touched_at)
      select unnest($1::uuid[]), 'digest', $2, $5, $5, $5 returning id, destination_id)
    insert into delivery_match (event, cause_id, destination_id, threat_id, threat, delivery_id, matched_at)
    select event, $3, destination_id, threat_id, threat, id, $5
      from made, jsonb_to_recordset($4::jsonb) as given(event text, threat_id text, threat jsonb)
    on conflict (event, cause_id, destination_id) do nothing`
  await wakeWorkers(tx)
}

/** Inserts one delivery for each destination, due now. Returns their ids in the ledger. */
export async function insertDeliveries(
  tx: Database,
  to: readonly Destination[],
  content: Exclude<Message, { kind: 'matches' | 'digest' }>,
  access: LedgerAccess,
): Promise<string[]> {
  const find = await storeDestinations(tx, to, access.secret)
  const rows = await readRows(tx, idSchema, [
    [...new Set(to.map((one) => find(one).id))],
    content.kind,
    toStorableJson(content),
    await readLedgerTime(tx, access),
  ])`
    insert into delivery (destination_id, kind, content, next_attempt_at, created_at, touched_at)
    select unnest($1::uuid[]), $2, $3, $4, $4, $4 returning id`
  await wakeWorkers(tx)
  return rows.map(({ id }) => id)
}

async function storeCauses(tx: Database, causes: readonly Cause[]): Promise<void> {
  const named = new Map(causes.map(({ id, name, isTeam }) => [id, { id, name, is_team: isTeam }]))
  const rows = [...named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, cause]) => cause)
  const given = 'jsonb_to_recordset($1::jsonb) as given(id text, name text, is_team boolean)'
  // Two statements are used because one would lock the causes until the transaction ends, and other transactions could
  // not enqueue.
  await execute(tx, [toStorableJson(rows)])`
    insert into delivery_cause (id, name, is_team) select id, name, is_team from ${given}
    on conflict do nothing`
  await execute(tx, [toStorableJson(rows)])`
    update delivery_cause stored set name = given.name, is_team = given.is_team
      from ${given}
     where stored.id = given.id
       and (stored.name, stored.is_team) <> (given.name, given.is_team)`
}
