import type { Caller } from '#bff/upstream/client/caller.ts'
import type { Database } from '#database/database.ts'
import { admitCalls, type Refusal, type Verdict } from './admit-call.ts'
import { type BudgetName, countUsage, type StoredBudget, writeBudget } from './budget-queries.ts'
import {
  type BudgetState,
  expireState,
  hasLimit,
  NO_USAGE,
  PROBE_FOR_MS,
  type Usage,
} from './budget-state.ts'
import { insertCalls } from './call-queries.ts'
import { takeRetry } from './refused-key-queries.ts'
import type { UsualHours } from './rest-of-day.ts'

export type GovernedCall = { route: string; caller: Caller; leastShare?: number }
/** The number of a call that may go out, or why it may not. */
export type Decision = number | Exclude<Verdict, { kind: 'go' }>

type Known = { stored: StoredBudget; state: BudgetState; usualHours: UsualHours; nowMs: number }

/** Decides on calls in turn, and counts those that may go out. Call it while the budget is locked. */
export async function decideCalls(
  tx: Database,
  name: BudgetName,
  calls: readonly GovernedCall[],
  known: Known,
): Promise<Decision[]> {
  const { stored, state, usualHours, nowMs } = known
  const usages = await countUsages(tx, name, calls, known)
  const requests = calls.map(({ route, caller, leastShare = 0 }) => {
    return { route, caller, leastShare, usualHours, usage: usages.get(caller.session) ?? NO_USAGE }
  })
  const decided = admitCalls(state, requests, nowMs).map((verdict, at) => ({ verdict, at }))
  const going = decided.filter(({ verdict }) => verdict.kind === 'go')
  // A refused key is tried by one call.
  if (stored.keyRefusal && going.length > 0) {
    const retry = { nowMs, forMs: PROBE_FOR_MS }
    going.splice((await takeRetry(tx, name.keyFingerprint, retry)) ? 1 : 0)
  }
  const ids = await insertCalls(
    tx,
    name,
    going.flatMap(({ at }) => calls[at] ?? []),
    { nowMs, outcome: null },
  )
  const callIds = new Map(going.map(({ at }, place) => [at, ids[place]]))
  const probe = going.find(({ verdict }) => verdict.kind === 'go' && verdict.isProbe)
  const probeId = probe && callIds.get(probe.at)
  if (probeId !== undefined) {
    const until = { callId: probeId, untilMs: nowMs + PROBE_FOR_MS }
    await writeBudget(tx, name, { ...expireState(stored.state, nowMs), probe: until })
  }
  return decided.map(({ verdict, at }) =>
    verdict.kind === 'go' ? (callIds.get(at) ?? { kind: 'refused', refusal: keyRefused(null) }) : verdict,
  )
}

/** Counts by session. Without a limit nothing is counted. */
async function countUsages(
  tx: Database,
  name: BudgetName,
  calls: readonly GovernedCall[],
  { state, nowMs }: Known,
): Promise<Map<string | null, Usage>> {
  const usages = new Map<string | null, Usage>()
  if (!hasLimit(state)) return usages
  for (const session of new Set(calls.map(({ caller }) => caller.session)))
    usages.set(session, await countUsage(tx, name, { state, session, nowMs }))
  return usages
}

export function keyRefused(retryAtMs: number | null): Refusal {
  return { kind: 'key_invalid', reason: 'the key was refused before', words: null, retryAtMs }
}
