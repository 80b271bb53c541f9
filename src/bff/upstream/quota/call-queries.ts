import * as z from 'zod/mini'
import type { Caller } from '#bff/upstream/client/caller.ts'
import type { LedgerCall } from '#contract/bff/call-ledger.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, readRows } from '#database/read-rows.ts'
import type { BudgetName } from './budget-queries.ts'

export type CallEnd = Pick<LedgerCall, 'outcome' | 'status' | 'durationMs'>

const insertedSchema = z.object({ id: z.int() })
const countedSchema = z.object({ calls: z.int() })

/** Writes calls into the ledger, and returns their numbers in the same order. Later calls have larger numbers. */
export async function insertCalls(
  tx: Database,
  { keyFingerprint, set }: BudgetName,
  calls: readonly { route: string; caller: Caller }[],
  { nowMs, outcome }: { nowMs: number; outcome: 'saved' | null },
): Promise<number[]> {
  if (calls.length === 0) return []
  const rows = await readRows(tx, insertedSchema, [
    ...[nowMs, keyFingerprint, set, outcome],
    calls.map(({ route }) => route),
    calls.map(({ caller }) => caller.priority),
    calls.map(({ caller }) => caller.who),
    calls.map(({ caller }) => caller.session),
  ])`
    insert into upstream_call (at, key_fingerprint, route_set, route, priority, account_id, session_id, outcome)
    select to_timestamp($1::float8 / 1000), $2, $3, route, priority, account_id, session_id, $4
      from unnest($5::text[], $6::text[], $7::text[], $8::text[]) with ordinality
        as made(route, priority, account_id, session_id, place)
     order by place
    returning id`
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
}

export async function endCalls(tx: Database, ends: readonly (CallEnd & { callId: number })[]): Promise<void> {
  await execute(tx, [
    ends.map(({ callId }) => callId),
    ends.map(({ outcome }) => outcome),
    ends.map(({ status }) => status),
    ends.map(({ durationMs }) => durationMs),
  ])`
    update upstream_call
       set outcome = ended.outcome, status = ended.status, duration_ms = ended.duration_ms
      from unnest($1::bigint[], $2::text[], $3::int[], $4::int[]) as ended(id, outcome, status, duration_ms)
     where upstream_call.id = ended.id`
}

export async function countCallsSince(
  tx: Database,
  { keyFingerprint, set }: BudgetName,
  sinceMs: number,
): Promise<number> {
  const row = await findRow(tx, countedSchema, [keyFingerprint, set, sinceMs])`
    select count(*) as calls
      from upstream_call
     where key_fingerprint = $1 and route_set = $2 and outcome is distinct from 'saved'
       and at >= to_timestamp($3::float8 / 1000)`
  return row?.calls ?? 0
}

export async function deleteOldCalls(tx: Database, before: string, most: number): Promise<number> {
  return execute(tx, [before, most])`
    delete from upstream_call
     where id in (select id from upstream_call where at < $1::timestamptz order by at limit $2)`
}
