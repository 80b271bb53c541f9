import * as z from 'zod/mini'
import type { Caller } from '#bff/vendor/client/caller.ts'
import type { LedgerCall } from '#contract/bff/call-ledger.ts'
import type { Database } from '#database/database.ts'
import type { BudgetName } from './budget-queries.ts'

export type NewCall = { route: string; caller: Caller; nowMs: number; outcome: 'saved' | null }
export type CallEnd = Pick<LedgerCall, 'outcome' | 'status' | 'durationMs'>

const insertedSchema = z.array(z.object({ id: z.int() }))
const countedSchema = z.array(z.object({ calls: z.int() }))

/** Writes a call into the ledger, and returns its number. Later calls have larger numbers. */
export async function insertCall(
  tx: Database,
  { keyFingerprint, set }: BudgetName,
  { route, caller, nowMs, outcome }: NewCall,
): Promise<number> {
  const { rows } = await tx.query(
    `insert into upstream_call (at, key_fingerprint, route_set, route, priority, account_id, session_id, outcome)
     values (to_timestamp($1::float8 / 1000), $2, $3, $4, $5, $6, $7, $8)
     returning id`,
    [nowMs, keyFingerprint, set, route, caller.priority, caller.who, caller.session, outcome],
  )
  const [inserted] = insertedSchema.parse(rows)
  if (!inserted) throw new Error('An insert returns its row')
  return inserted.id
}

export async function endCall(tx: Database, id: number, end: CallEnd): Promise<void> {
  await tx.query('update upstream_call set outcome = $2, status = $3, duration_ms = $4 where id = $1', [
    id,
    end.outcome,
    end.status,
    end.durationMs,
  ])
}

export async function countCallsSince(
  tx: Database,
  { keyFingerprint, set }: BudgetName,
  sinceMs: number,
): Promise<number> {
  const { rows } = await tx.query(
    `select count(*) as calls
       from upstream_call
      where key_fingerprint = $1 and route_set = $2 and outcome is distinct from 'saved'
        and at >= to_timestamp($3::float8 / 1000)`,
    [keyFingerprint, set, sinceMs],
  )
  return countedSchema.parse(rows).at(0)?.calls ?? 0
}

export async function deleteOldCalls(tx: Database, before: string, most: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from upstream_call
      where id in (select id from upstream_call where at < $1::timestamptz order by at limit $2)`,
    [before, most],
  )
  return rowCount
}
