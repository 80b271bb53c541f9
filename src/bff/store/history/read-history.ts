import type { Log } from '#bff/http/log.ts'
import { findStoredIds } from '#bff/store/records/list-queries.ts'
import { storedTimeOf } from '#bff/store/store-freshness.ts'
import { crawlOrNull, createCrawl, isTotalOfAll } from '#bff/store/sync/crawl.ts'
import { backOffOf, fillPauseOf } from '#bff/store/sync/pace.ts'
import { spareCallsOf } from '#bff/store/sync/recheck.ts'
import { readSyncState, type StoredState } from '#bff/store/sync/sync-state.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type HistoryLimits, startOfHistory } from '#bff/time/history-limits.ts'
import { iso } from '#bff/time/iso-time.ts'
import { describeFailure } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import { createUsualHours } from '#bff/upstream/quota/usual-hours.ts'
import type { GapReason } from '#contract/bff/coverage.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { startLoop } from '#server/start-loop.ts'
import { afterLoadPage, type LoadEnd } from './after-page.ts'
import { chooseMonth } from './choose-month.ts'

import { readHistory } from './history-ranges.ts'
import {
  beginLoad,
  findMet,
  type HistoryLoad,
  insertLoad,
  listFailedMonths,
  listOpenLoads,
  wantedFrom,
} from './load-queries.ts'
import { isFull, storeEnd, storeLoadPage, storeReason } from './store-load.ts'

/** People's requests are polled at this interval. */
const POLL_MS = 1_000
/** Spare calls are polled at this interval. */
const SPARE_POLL_MS = 30_000

/** Failures of the vendor that say something of the time that was requested, and nothing else. */
const LASTING: Partial<Record<UpstreamErrorKind, GapReason>> = {
  forbidden: 'planWindow',
  set_forbidden: 'planWindow',
  route_forbidden: 'planWindow',
  rejected: 'refused',
  set_absent: 'refused',
  route_absent: 'refused',
}

export type HistoryOptions = {
  database: Database
  upstream: Upstream
  clock: Clock
  log: Log
  /** Names the vendor's address. */
  source: string
  limits: HistoryLimits
  /** Calls cost nothing. */
  isFree?: boolean
  /** Somebody wants older records of the sync's own list. */
  onWanted?: () => void
}

/** Reads at most a page of the past; returns how long to wait for the next. */
export type HistoryStep = () => Promise<number>

/** Reads times of the past that people request, and with spare calls the months before the sync's own range. */
export function createHistoryStep(options: HistoryOptions): HistoryStep {
  const { database, upstream, clock, log, limits, isFree = false } = options
  const crawl = createCrawl(upstream)
  const usualHours = createUsualHours('earlier')
  /** Both times use the monotonic clock. */
  const pauses = { requested: 0, background: 0 }
  let failures = 0
  /** The vendor's totals count all records, independent of the requested time. */
  let areTotalsOfAll = false

  /** The sync's state, where it is of the vendor as it is now. */
  async function readSync(): Promise<StoredState | null> {
    const state = await readSyncState(database)
    return state.status === 'empty' || state.source !== options.source ? null : state
  }

  async function chooseLoad(sync: StoredState): Promise<HistoryLoad | null> {
    const isPaused = (kind: keyof typeof pauses) => pauses[kind] > clock.elapsedMs()
    const loads = (await listOpenLoads(database)).filter(({ set }) => set === 'earlier')
    const requested = loads.find(({ isBackground }) => !isBackground)
    if (requested) return isPaused('requested') ? null : requested
    if (isPaused('background') || !(await mayReadByItself(sync))) return null
    return loads.at(0) ?? (await beginMonth(sync))
  }

  /** Everything else comes first: the sync's crawls, and calls that anybody may need. */
  async function mayReadByItself(sync: StoredState): Promise<boolean> {
    if (sync.set !== 'v1' || sync.status !== 'complete' || sync.recheck !== null) return pauseBackground()
    if (!upstream.permittedSets().includes('earlier')) return pauseBackground()
    const { budgets } = (await upstream.state()).sets.earlier
    const nowMs = clock.nowMs()
    const spare = spareCallsOf({ budgets, nowMs, usualHours: await usualHours(database, nowMs) })
    return spare >= 1 || pauseBackground()
  }

  function pauseBackground(): false {
    pauses.background = clock.elapsedMs() + SPARE_POLL_MS
    return false
  }

  async function beginMonth(sync: StoredState): Promise<HistoryLoad | null> {
    const { beyond, ranges } = storedTimeOf(sync)
    const live = ranges.at(0)
    // A list that ended by itself has nothing older, and what is not kept is not read.
    const isMore = beyond !== 'endOfList' && beyond !== 'historyLimit' && beyond !== 'notRead'
    const nowMs = clock.nowMs()
    const month =
      live && isMore && !(await isFull(database, limits))
        ? chooseMonth({
            live,
            history: await readHistory(database),
            failed: await listFailedMonths(database),
            keptFrom: Date.parse(startOfHistory(limits, nowMs)),
            nowMs,
          })
        : null
    if (!month) {
      pauseBackground()
      return null
    }
    const [from, to] = [iso(month.from), iso(month.to)]
    return insertLoad(database, {
      set: 'earlier',
      from,
      to,
      isBackground: true,
      requestedBy: null,
      at: iso(nowMs),
    })
  }

  async function readPage(load: HistoryLoad, sync: StoredState): Promise<number> {
    const { sets } = await upstream.state()
    const { budgets, status } = sets.earlier
    if (await isFull(database, limits)) {
      const reason = 'Lantern is set to keep no more threats.'
      await end(load, { kind: 'failed', why: 'historyLimit', reason })
      return POLL_MS
    }
    const common = {
      set: 'earlier',
      isBackground: load.isBackground,
      who: load.requestedBy,
      // If a set has answered before, a 403 refuses this time alone.
      isAboutData: status === 'permitted',
    } as const
    const { cursor } = load
    const isUnordered = cursor?.reading?.isUnordered ?? false
    const page = await crawl({ ...common, since: load.from, until: dayAfter(load.to), cursor, isUnordered })
    const nowMs = clock.nowMs()
    const ids = [...new Set(page.threats.map(({ id }) => id))]
    const [met, stored] = [await findMet(database, load, ids), await findStoredIds(database, ids)]
    const after = afterLoadPage(load, page, { met, stored, nowMs })
    const ending = after.end && (await checkEnd(after.end, common))
    const isOldest = ending?.kind === 'claim' && ending.isEmpty && (await hasNothingOlder(load, common))
    await storeLoadPage(database, load, {
      ...after,
      end: ending,
      ids,
      met,
      isOldest,
      source: sync.source,
      at: iso(nowMs),
    })
    failures = 0
    if (ending?.kind === 'failed') log.warn('history-not-read', { reason: ending.reason })
    return load.isBackground && !isFree ? 2 * fillPauseOf(budgets) : isFree ? 0 : fillPauseOf(budgets)
  }

  type Common = { set: 'earlier'; isBackground: boolean; who: string | null; isAboutData: boolean }

  async function checkEnd(end: LoadEnd, common: Common): Promise<LoadEnd> {
    if (end.kind !== 'doubtful') return end
    areTotalsOfAll ||= await isTotalOfAll(crawl, common, { reported: end.said, nowMs: clock.nowMs() })
    if (areTotalsOfAll) return { kind: 'claim', isEmpty: end.read === 0 }
    const counts = `${end.said.toLocaleString('en')} threats, and lists ${end.read.toLocaleString('en')}`
    return {
      kind: 'failed',
      why: 'refused',
      reason: `The vendor says that this time has ${counts}.`,
    }
  }

  /** An empty month is no proof: the list up to it is. */
  async function hasNothingOlder(load: HistoryLoad, common: Common): Promise<boolean> {
    const page = await crawlOrNull(crawl, { ...common, since: null, until: load.from, cursor: null })
    if (!page || page.threats.length + page.unreadable.length > 0 || page.next !== null || page.isCut)
      return false
    return areTotalsOfAll || (page.total ?? 0) === 0
  }

  async function end(load: HistoryLoad, ending: Extract<LoadEnd, { kind: 'failed' }>): Promise<void> {
    log.warn('history-not-read', { reason: ending.reason })
    await storeEnd(database, load.id, { ...ending, state: 'failed', at: iso(clock.nowMs()) })
  }

  /** A time that the vendor does not give ends; all else is tried again, and says so meanwhile. */
  async function recover(load: HistoryLoad, error: unknown): Promise<number> {
    if (!(error instanceof UpstreamError)) throw error
    const why = LASTING[error.kind]
    if (why) {
      await end(load, { kind: 'failed', why, reason: describeFailure(error) })
      return POLL_MS
    }
    failures++
    const nowMs = clock.nowMs()
    const waitMs =
      error.retryAtMs === null ? backOffOf(failures, 0) : Math.max(POLL_MS, error.retryAtMs - nowMs)
    pauses[load.isBackground ? 'background' : 'requested'] = clock.elapsedMs() + waitMs
    await storeReason(database, load.id, describeWait(error))
    return POLL_MS
  }

  /** If the list can only be read from its newest record on, the sync reads it and reports its progress. */
  async function followSync(sync: StoredState): Promise<void> {
    if ((await wantedFrom(database)) === null) return
    const { beyond } = storedTimeOf(sync)
    for (const load of await listOpenLoads(database)) {
      if (load.set !== 'v1') continue
      const at = iso(clock.nowMs())
      if (await beginLoad(database, load.id)) options.onWanted?.()
      if (sync.storedFrom <= load.from || beyond === 'endOfList') {
        await storeEnd(database, load.id, { state: 'done', at })
      } else if (sync.status === 'complete') {
        const reason = 'The vendor lists nothing older to this key.'
        const why = beyond === 'notRead' ? 'refused' : beyond
        await storeEnd(database, load.id, { state: 'failed', why, reason, at })
      }
    }
  }

  return async () => {
    const sync = await readSync()
    if (!sync) return POLL_MS
    await followSync(sync)
    const load = await chooseLoad(sync)
    if (!load) return POLL_MS
    return readPage(load, sync).catch((error: unknown) => recover(load, error))
  }
}

/** Goes on as long as this process leads. */
export async function readHistoryWhile(signal: AbortSignal, options: HistoryOptions): Promise<void> {
  const step = createHistoryStep(options)
  const onFault = (error: unknown) => options.log.error('history-not-read', error)
  await startLoop(step, { everyMs: POLL_MS, afterFaultMs: SPARE_POLL_MS, signal, onFault }).ended
}

/** Describes in a sentence why a load waits. */
function describeWait(error: UpstreamError): string {
  if (error.kind !== 'saving_calls') return describeFailure(error)
  const until = error.retryAtMs === null ? '' : ` at ${iso(error.retryAtMs).slice(11, 16)} UTC`
  return `Few calls are left, and they are kept for new threats and for people: it goes on by itself${until}.`
}

/** The last day to ask for: whether a vendor means it inclusively or not, all of the time lies before its end. */
function dayAfter(to: string): string {
  return iso(Date.parse(to) + DAY_MS - 1)
}
