import { wantedFrom } from '#bff/store/history/load-queries.ts'
import { findListed, findStoredIds } from '#bff/store/records/list-queries.ts'
import { countStored } from '#bff/store/records/store-threats.ts'
import { readNewestTime } from '#bff/store/records/threat-queries.ts'
import type { Clock } from '#bff/time/clock.ts'
import { FIRST_DAYS, type HistoryLimits, startOfDays, startOfHistory } from '#bff/time/history-limits.ts'
import { iso } from '#bff/time/iso-time.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { createUsualHours } from '#bff/upstream/quota/usual-hours.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { afterFailure } from './after-failure.ts'
import { NO_BACKOFF } from './backoff.ts'
import { chooseStep, type Facts, isBackgroundFill, type Step, waitAfter, withinBound } from './choose-step.ts'
import { type CrawlPage, crawlOrNull, createCrawl, isTotalOfAll } from './crawl.ts'
import { plannedDeepCalls } from './deep-fill.ts'
import { afterPage } from './next-step.ts'
import type { Outcome } from './outcome.ts'
import type { PageFacts } from './read-page.ts'
import { plannedRecheckCalls } from './recheck.ts'
import { emptyStore, storePage, storePause } from './store-page.ts'
import { EMPTY, readSyncState, type StoredState, type SyncState, writeSyncState } from './sync-state.ts'

export type ReadStepOptions = {
  database: Database
  upstream: Upstream
  clock: Clock
  /** Names the vendor's address. */
  source: string
  /** Identifies the keys; null if they cannot be distinguished. */
  keys?: string | null
  history: HistoryLimits
  /** Calls cost nothing: a list that holds more or less than is stored is read anew. */
  isFree?: boolean
  /** Called with the error that paused a crawl. */
  onFailure?: (error: unknown) => void
  /** Ends the leadership: nothing is written after it. */
  signal?: AbortSignal
}

/** Makes at most a few calls and stores what they gave; returns how long to wait for the next step. */
export type ReadStep = () => Promise<number>

export function createReadStep(options: ReadStepOptions): ReadStep {
  const { database, upstream, clock, source, keys = null, history, isFree = false } = options
  const { onFailure, signal } = options
  const crawl = createCrawl(upstream)
  const usualHoursOf = { v1: createUsualHours('v1'), earlier: createUsualHours('earlier') }
  let backoffs = NO_BACKOFF
  let owesOlder = false
  /** As of the last facts. */
  let isTrial = false

  async function gatherFacts(set: RouteSet, state: SyncState): Promise<Facts> {
    const { sets, trialExpiresAt } = await upstream.state()
    const { budgets } = sets[set]
    isTrial = trialExpiresAt !== null
    const nowMs = clock.nowMs()
    const newestAt = await readNewestTime(database, iso(nowMs))
    const pace = { budgets, nowMs, usualHours: await usualHoursOf[set](database, nowMs) }
    const keptFrom = startOfHistory(history, nowMs)
    const first = startOfDays(FIRST_DAYS, nowMs).toISOString()
    const isUnordered = state.status !== 'empty' && state.list.order === 'none'
    return {
      ...pace,
      recheckCalls:
        state.status === 'empty' ? 0 : plannedRecheckCalls(state, pace) + plannedDeepCalls(state, pace),
      elapsedMs: clock.elapsedMs(),
      source,
      keys,
      set,
      filledFrom: isUnordered && first > keptFrom ? first : keptFrom,
      keptFrom,
      keptRecords: history.records,
      wantedFrom: await wantedFrom(database),
      newestAt,
      backoffs,
      isFree,
      data: upstream.data(set),
    }
  }

  /** Stored threats of another vendor are deleted before this one's are read. */
  async function readState(): Promise<SyncState> {
    const state = await readSyncState(database)
    if (state.status === 'empty' || state.source === source) return state
    await emptyStore(database)
    return EMPTY
  }

  function chooseSet(state: SyncState): RouteSet {
    const permitted = upstream.permittedSets()
    const stored = state.status === 'empty' ? 'v1' : state.set
    return ROUTE_SETS.find((set) => permitted.includes(set)) ?? stored
  }

  async function follow(chosen: Step): Promise<StoredState> {
    let step = chosen
    for (;;) {
      const outcome = await attempt(step).catch((error: unknown) => recover(chosen, step, error))
      if (outcome.kind !== 'request') return outcome.state
      step = outcome.step
    }
  }

  async function attempt(step: Step): Promise<Outcome> {
    const isUnordered = step.crawl !== 'first' && step.from.list.order === 'none'
    const isPast =
      step.crawl === 'older' &&
      isBackgroundFill(step.from, {
        isFree,
        nowMs: clock.nowMs(),
        wantedFrom: await wantedFrom(database),
      })
    const isBackground = step.crawl === 'recheck' || isPast
    const isAboutData = withinBound(step) !== null
    const isWithContent = isFree || upstream.data(step.set).listsContent
    const page = await crawl({ ...step, isUnordered, isTrial, isBackground, isAboutData, isWithContent })
    const facts = await gatherFacts(step.set, step.crawl === 'first' ? EMPTY : step.from)
    const outcome = afterPage(step, page, { ...facts, ...(await countPage(step, page)) })
    if (outcome.kind !== 'store') return outcome
    const state = await storePage(database, outcome, facts)
    backoffs = outcome.backoffs
    if (outcome.isTotalInDoubt) return { ...outcome, state: await checkTotal(state, facts.nowMs) }
    if (outcome.doubtfulEnd !== null) return { ...outcome, state: await checkEnd(state, outcome.doubtfulEnd) }
    return { ...outcome, state }
  }

  async function countPage(step: Step, { threats, next }: CrawlPage): Promise<PageFacts> {
    const ids = [...new Set(threats.map(({ id }) => id))]
    // A crawl that begins does not know the records that an earlier crawl met.
    const known = step.cursor === null ? [] : await findListed(database, step.crawl, ids)
    return {
      countStored: next === null ? await countStored(database) : 0,
      known: new Set(known),
      unstored: step.crawl === 'older' ? ids.length - (await findStoredIds(database, ids)).size : 0,
    }
  }

  /** A total of all records says nothing of a list from a bound on. */
  async function checkTotal(state: StoredState, nowMs: number): Promise<StoredState> {
    const { set, list } = state
    if (!list.total || !(await isTotalOfAll(crawl, { set, isTrial }, { reported: list.total.said, nowMs })))
      return state
    return writeChecked({ ...state, list: { ...list, total: null, isTotalOfAll: true } })
  }

  /** A list that holds more without its bound reaches back to it: what lies between is quiet. */
  async function checkEnd(state: StoredState, listed: number): Promise<StoredState> {
    const { set, since } = state
    const page = await crawlOrNull(crawl, { set, since: null, cursor: null, isTrial, isAboutData: true })
    if (since === null || page?.total == null || page.total <= listed) return state
    const all = state.checks.all && { ...state.checks.all, from: since }
    const beyond = 'historyLimit' as const
    return writeChecked({ ...state, storedFrom: since, beyond, checks: { ...state.checks, all } })
  }

  async function writeChecked(state: StoredState): Promise<StoredState> {
    signal?.throwIfAborted()
    await writeSyncState(database, state)
    return state
  }

  async function recover(chosen: Step, requested: Step, error: unknown): Promise<Outcome> {
    signal?.throwIfAborted()
    const facts = await gatherFacts(requested.set, chosen.crawl === 'first' ? EMPTY : chosen.from)
    const outcome = afterFailure(chosen, requested, error, facts)
    if (outcome === null) throw error
    if (outcome.kind === 'store') await storePage(database, outcome, facts)
    if (outcome.kind !== 'pause') return outcome
    onFailure?.(error)
    backoffs = outcome.backoffs
    await storePause(database, outcome)
    return outcome
  }

  return async () => {
    const state = await readState()
    const set = chooseSet(state)
    const step = chooseStep(state, await gatherFacts(set, state), owesOlder)
    if (step.crawl === 'first') backoffs = NO_BACKOFF
    else if (step.crawl) owesOlder = step.crawl === 'newer' && step.from.status === 'filling'
    const after = step.crawl ? await follow(step) : step.from
    return waitAfter(after, await gatherFacts(set, after))
  }
}
