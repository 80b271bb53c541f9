import * as z from 'zod/mini'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow } from '#database/read-rows.ts'
import {
  type BudgetState,
  budgetStateSchema,
  dayStartMs,
  minuteStartMs,
  SKEW_MAX_MS,
  UNKNOWN_BUDGET,
  type Usage,
} from './budget-state.ts'

/** Whose budget: a key, by its fingerprint, on one route set. */
export type BudgetName = { keyFingerprint: Buffer; set: RouteSet }

/** The vendor's refusal of the key: since when, its words, and when one call tries the key again. */
const keyRefusalSchema = z.object({
  refusedAtMs: z.number(),
  words: z.nullable(z.string()),
  retryAtMs: z.number(),
  callId: z.int(),
})

// A state that another version of Lantern wrote may be unreadable, and then counts as unknown.
const storedSchema = z.object({
  state: z.catch(budgetStateSchema, UNKNOWN_BUDGET),
  keyRefusal: z.nullable(keyRefusalSchema),
})
export type StoredBudget = z.infer<typeof storedSchema>

export const UNKNOWN_STORED: StoredBudget = { state: UNKNOWN_BUDGET, keyRefusal: null }

const SELECT = `
  select state,
         (select json_build_object(
                   'refusedAtMs', (extract(epoch from refused_at) * 1000)::float8, 'words', words,
                   'retryAtMs', (extract(epoch from retry_at) * 1000)::float8, 'callId', call_id)
            from refused_key where refused_key.key_fingerprint = $1) as "keyRefusal"
    from call_budget
   where key_fingerprint = $1 and route_set = $2`

export async function readBudget(db: Database, { keyFingerprint, set }: BudgetName): Promise<StoredBudget> {
  return (await findRow(db, storedSchema, [keyFingerprint, set])`${SELECT}`) ?? UNKNOWN_STORED
}

/** Locks the budget for this transaction: whoever decides on a call decides alone. */
export async function lockBudget(tx: Database, name: BudgetName): Promise<StoredBudget> {
  const { keyFingerprint, set } = name
  const lock = () => findRow(tx, storedSchema, [keyFingerprint, set])`${SELECT} for update of call_budget`
  const stored = await lock()
  if (stored) return stored
  await execute(tx, [keyFingerprint, set, JSON.stringify(UNKNOWN_BUDGET)])`
    insert into call_budget (key_fingerprint, route_set, state) values ($1, $2, $3) on conflict do nothing`
  const created = await lock()
  if (!created) throw new Error('A budget that was just made is gone')
  return created
}

export async function writeBudget(
  tx: Database,
  { keyFingerprint, set }: BudgetName,
  state: BudgetState,
): Promise<void> {
  await execute(tx, [keyFingerprint, set, JSON.stringify(state)])`
    update call_budget set state = $3 where key_fingerprint = $1 and route_set = $2`
}

/** Lets the next calls of a key find out again what its plan includes. */
export async function endForbidden(db: Database, keyFingerprint: Buffer, nowMs: number): Promise<void> {
  await execute(db, [keyFingerprint, nowMs])`
    update call_budget
       set state = state || '{"forbiddenRoutes": {}}' || jsonb_build_object('forbidden', case
         when jsonb_typeof(state -> 'forbidden') = 'object'
         then state -> 'forbidden' || jsonb_build_object('untilMs', $2::float8) end)
     where key_fingerprint = $1`
}

const usedSchema = z.object({ used: z.int(), usedBySession: z.int(), sinceReported: z.int() })
const usageSchema = z.object({ minute: usedSchema, day: usedSchema, oldestMs: z.nullable(z.number()) })

/** Our own calls of this minute and this day, counted in the ledger. A day without a limit is not counted. */
export async function countUsage(
  db: Database,
  { keyFingerprint, set }: BudgetName,
  { state, session, nowMs }: { state: BudgetState; session: string | null; nowMs: number },
): Promise<Usage> {
  const minuteMs = minuteStartMs(nowMs)
  const dayMs = state.day ? dayStartMs(state.day, nowMs) : minuteMs
  const counted = await findRow(db, usageSchema, [
    keyFingerprint,
    set,
    minuteMs,
    dayMs,
    session,
    state.minute?.reportedBy ?? null,
    state.day?.reportedBy ?? null,
    nowMs + SKEW_MAX_MS,
  ])`
    select json_build_object(
             'used', count(*) filter (where at > since.minute),
             'usedBySession', count(*) filter (where at > since.minute and session_id = $5),
             'sinceReported', count(*) filter (where id > $6)) as minute,
           json_build_object(
             'used', count(*) filter (where at >= since.day),
             'usedBySession', count(*) filter (where at >= since.day and session_id = $5),
             'sinceReported', count(*) filter (where id > $7)) as day,
           (extract(epoch from min(at) filter (where at > since.minute)) * 1000)::float8 as "oldestMs"
      from (select to_timestamp($3::float8 / 1000) as minute, to_timestamp($4::float8 / 1000) as day) as since
           left join upstream_call
             on key_fingerprint = $1 and route_set = $2 and outcome is distinct from 'saved'
            and at >= least(since.minute, since.day)
            -- A clock that was set back leaves calls in its future: they are of no period.
            and at < to_timestamp($8::float8 / 1000)`
  if (!counted) throw new Error('A count has one row')
  const { minute, day, oldestMs } = counted
  return { minute: { ...minute, oldestMs }, day: { ...day, oldestMs: null } }
}
