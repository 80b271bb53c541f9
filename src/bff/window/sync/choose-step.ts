import type { SetState } from '#contract/bff/source.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { CrawlQuery } from './crawl.ts'
import { fillPauseOf, paceOf } from './pace.ts'
import type { CrawlName, Setbacks } from './setbacks.ts'
import { crawlsOf, type FillingState, type StoredState, type SyncState } from './sync-state.ts'

/** Records that appear with a time a little before those already read. */
export const OVERLAP_MS = 10 * 60_000
export const RECONCILED_MS = 2 * DAY_MS
const RECONCILE_EVERY_MS = HOUR_MS
/** A reconciliation takes several calls: with a small budget it comes less often. */
const RECONCILE_EVERY_PACES = 50

/** What a step is decided by beside the state. Times are ISO 8601 UTC unless named in milliseconds. */
export type Facts = {
  nowMs: number
  /** By a clock that nobody sets. */
  elapsedMs: number
  source: string
  set: RouteSet
  budgets: SetState['budgets']
  /** How far back the window is filled, and how long records are kept. */
  filledFrom: string
  keptFrom: string
  /** The newest record that is stored. */
  newestAt: string | null
  setbacks: Setbacks
  /** Whether calls cost nothing: then a list that holds more or less than is stored is read anew. */
  isFree: boolean
}

/** The page to ask for: of a window that begins, or of a crawl. */
export type Step =
  | (CrawlQuery & { crawl: 'first'; cursor: null; startedAt: string })
  | (CrawlQuery & { crawl: 'newer'; from: StoredState; startedAt: string; until: string })
  | (CrawlQuery & { crawl: 'older'; from: FillingState })
/** Both crawls wait. */
type Pause = { crawl: null; from: StoredState }

/** Begins a window that replaces any other. */
export function beginAnew({ set, nowMs }: Facts, since: string | null): Step {
  return { crawl: 'first', set, since, cursor: null, startedAt: new Date(nowMs).toISOString() }
}

/** What comes next. With few calls to make, a crawl to newer records is always due: the one to older ones takes its turn. */
export function chooseStep(state: SyncState, facts: Facts, owesOlder: boolean): Step | Pause {
  if (state.status === 'empty' || state.source !== facts.source || state.set !== facts.set)
    return beginAnew(facts, facts.filledFrom)
  const { newer, older } = waitsOf(state, facts)
  const isUnderWay = crawlsOf(state).catchUp !== null
  if (newer === 0 && (isUnderWay || !owesOlder || older > 0)) return catchUpStep(state, facts)
  if (state.status !== 'filling' || older > 0) return { crawl: null, from: state }
  return { crawl: 'older', from: state, set: state.set, since: state.since, cursor: state.fill.cursor }
}

/** How long until the next step. */
export function waitAfter(state: StoredState, facts: Facts): number {
  const { newer, older } = waitsOf(state, facts)
  return Math.max(Math.min(newer, older), state.status === 'complete' ? 0 : fillPauseOf(facts.budgets))
}

/** How long until each crawl goes on: one that has failed rests, and the other does not wait for it. */
function waitsOf(state: StoredState, { setbacks, nowMs, elapsedMs }: Facts): Record<CrawlName, number> {
  const restOf = (crawl: CrawlName) => Math.max(0, setbacks[crawl].restsUntilMs - elapsedMs)
  const dueMs = crawlsOf(state).catchUp ? 0 : Math.max(0, Date.parse(state.nextReadAt) - nowMs)
  return {
    newer: Math.max(dueMs, restOf('newer')),
    older: state.status === 'filling' ? restOf('older') : Number.POSITIVE_INFINITY,
  }
}

function catchUpStep(state: StoredState, facts: Facts): Step {
  const { set, since } = state
  const { catchUp } = crawlsOf(state)
  if (catchUp) return { crawl: 'newer', from: state, set, since, ...catchUp }
  return {
    crawl: 'newer',
    from: state,
    set,
    // The bound moves on with the days once all behind it is stored.
    since: state.status === 'complete' && since !== null ? facts.filledFrom : since,
    cursor: null,
    startedAt: new Date(facts.nowMs).toISOString(),
    until: boundOfCatchUp(state, facts),
  }
}

/** How far back it goes: every so often further than what is stored, for records that came late. */
function boundOfCatchUp(
  { storedTo, since, reconciledAt }: StoredState,
  { nowMs, budgets, newestAt }: Facts,
): string {
  const iso = (ms: number) => new Date(ms).toISOString()
  const everyMs = Math.max(RECONCILE_EVERY_MS, RECONCILE_EVERY_PACES * paceOf(budgets, nowMs))
  const sinceMs = nowMs - Date.parse(reconciledAt)
  // Where the plan's window is shorter than ours, only its end tells how far it reaches today.
  if (since === null && sinceMs >= Math.max(everyMs, DAY_MS)) return iso(0)
  if (sinceMs >= everyMs) return iso(nowMs - RECONCILED_MS)
  const stored = newestAt !== null && newestAt < storedTo ? newestAt : storedTo
  return iso(Date.parse(stored) - OVERLAP_MS)
}
