import * as z from 'zod/mini'
import { storedTimeOf } from '#bff/store/store-freshness.ts'
import { readSyncState } from '#bff/store/sync/sync-state.ts'
import { coverageOf, type TimeRange } from '#bff/time/coverage.ts'
import { type HistoryLimits, startOfHistory } from '#bff/time/history-limits.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import type { GapReason } from '#contract/bff/coverage.ts'
import type { LoadOffer } from '#contract/bff/history-load.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'
import { newestMissing, startOfMonth } from './choose-month.ts'
import { readHistory, withHistory } from './history-ranges.ts'
import { listOpenLoads } from './load-queries.ts'
import { isFull } from './store-load.ts'

const PAGE_RECORDS = 100
const TRIAL_PAGE_RECORDS = 50
/** Records of so many days after a time indicate how many it may hold. */
const NEAR_DAYS = 30

export type OfferDependencies = {
  database: Database
  upstream: Upstream
  /** Names the vendor's address. */
  source: string
  limits: HistoryLimits
  nowMs: number
}

/** Says what can be loaded of a time, or why nothing can. Both are null if nothing is missing, or it is being read. */
export type Offered = { offer: (LoadOffer & { set: RouteSet }) | null; refusal: GapReason | null }

const NOTHING: Offered = { offer: null, refusal: null }

/** The newest part of a time that is not stored and that can be loaded. */
export async function offerLoad(dependencies: OfferDependencies, bounds: FeedBounds): Promise<Offered> {
  const { database, upstream, source, limits, nowMs } = dependencies
  const sync = await readSyncState(database)
  if (sync.status === 'empty' || sync.source !== source) return NOTHING
  const history = await readHistory(database)
  const live = storedTimeOf(sync)
  const keptFrom = Date.parse(startOfHistory(limits, nowMs))
  const time = withHistory(live, history, keptFrom)
  const { gaps } = coverageOf(time, bounds, nowMs)
  const liveFrom = Date.parse(sync.storedFrom)
  const older = gaps.filter(({ to }) => Date.parse(to) <= liveFrom)
  const last = older.at(0)
  if (!last) return NOTHING
  const refuse = (refusal: GapReason): Offered => ({ offer: null, refusal })
  if (Date.parse(last.to) <= keptFrom || (await isFull(database, limits))) return refuse('historyLimit')

  const first = Math.max(keptFrom, startOfMonth(bounds.start ?? Date.parse(last.to) - 1))
  const isByDates = upstream.permittedSets().includes('earlier')
  const missing = isByDates
    ? newestMissing(time.ranges, { from: first, to: Date.parse(last.to) })
    : { from: first, to: liveFrom }
  if (!missing) return NOTHING
  const why = history.failed.find(({ from, to }) => from < missing.to && missing.from < to)?.why
  if (isByDates && why === 'planWindow') return refuse('planWindow')
  // Only the sync's own list can be read, from its newest record on.
  if (!isByDates && live.beyond !== 'notRead')
    return live.beyond === 'endOfList' ? NOTHING : refuse(live.beyond)
  const open = await listOpenLoads(database)
  if (
    open.some(
      (load) =>
        !load.isBackground && Date.parse(load.from) < missing.to && missing.from < Date.parse(load.to),
    )
  )
    return NOTHING

  // The stored time that follows it most closely indicates how much it may hold.
  const near = time.ranges.findLast(({ from }) => from >= missing.to) ?? { from: liveFrom, to: nowMs }
  const set = isByDates ? 'earlier' : sync.set
  const { sets, trialExpiresAt } = await upstream.state()
  const pageRecords = set === 'v1' && trialExpiresAt !== null ? TRIAL_PAGE_RECORDS : PAGE_RECORDS
  const records = (await countNear(database, near)) * ((missing.to - missing.from) / DAY_MS)
  return {
    refusal: null,
    offer: {
      set,
      from: new Date(missing.from).toISOString(),
      to: new Date(missing.to).toISOString(),
      isBackTo: !isByDates,
      calls: Math.max(1, Math.ceil(records / pageRecords)),
      callsLeft: sets[set].budgets.day?.remaining ?? null,
    },
  }
}

/** Records a day of a stored time, by its first days. */
async function countNear(db: Database, { from, to }: TimeRange): Promise<number> {
  const endMs = Math.min(to, from + NEAR_DAYS * DAY_MS)
  const values = [new Date(from).toISOString(), new Date(endMs).toISOString()]
  const { count } = await readRow(db, z.object({ count: z.int() }), values)`
    select count(*) as count from window_threat where sorted_at >= $1 and sorted_at < $2`
  return count / Math.max(1, (endMs - from) / DAY_MS)
}
