import { iso } from '#bff/time/iso-time.ts'
import type { OwnService } from '#bff/upstream/client/own-service.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { type DataVersion, formatDataVersion, parseDataVersion } from '#contract/upstream/data-version.ts'
import type { Backoffs, CrawlName } from './backoff.ts'
import type { CrawlQuery } from './crawl.ts'
import { isDeep } from './deep-fill.ts'
import { fillPauseOf, type PaceFacts } from './pace.ts'
import { OVERLAP_MS, UNKNOWN_LIST } from './reading.ts'
import { nextRecheck, spareCallsOf } from './recheck.ts'
import { crawlsOf, type FillingState, type StoredState, type SyncState, withCrawls } from './sync-state.ts'

/**
 * If people use all calls of a small plan, none is ever spare. Then a page of the past is read at this interval, while
 * more calls are left than are reserved for people.
 */
const SCARCE_EVERY_MS = 6 * HOUR_MS

/** A step depends on these facts and on the state. Times are ISO 8601 UTC unless named in milliseconds. */
export type Facts = PaceFacts & {
  /** This time uses the monotonic clock. */
  elapsedMs: number
  source: string
  keys: string | null
  set: RouteSet
  /** The list is requested and records are kept from this time on; the epoch if all are. */
  filledFrom: string
  keptFrom: string
  /** The number of newest records that are kept. */
  keptRecords: number
  /** Down to which time somebody wants the list read at once, epoch milliseconds; null unless given. */
  wantedFrom?: number | null
  /** The newest record that is stored, but for those from the future. */
  newestAt: string | null
  backoffs: Backoffs
  /** Calls cost nothing: a list that holds more or less than is stored is read anew. */
  isFree: boolean
  /** The vendor's report on its data; null where only our own service could report it. */
  data: { version: DataVersion | null; window: OwnService['dataWindow'] }
}

/** The start of a crawl, and the version of the vendor's data then. */
type Begun = { startedAt: string; dataVersion: string | null }

/** The first page of a list of which nothing is stored. */
export type FirstStep = CrawlQuery & Begun & { crawl: 'first'; cursor: null }
/** A page further into the past. */
export type OlderStep = CrawlQuery & { crawl: 'older'; from: FillingState }
/** A crawl from the newest record back to a time: for new records, or to compare those that are stored. */
export type NewerStep = CrawlQuery &
  Begun & {
    crawl: 'newer' | 'recheck'
    from: StoredState
    until: string
    /** The list's own bound: the request may use a later one. */
    bound: string | null
  }
export type Step = FirstStep | NewerStep | OlderStep
/** All crawls wait. */
type Pause = { crawl: null; from: StoredState }

/** Begins where nothing is stored, or where what is stored is of another source. */
export function beginAnew(facts: Facts, since: string | null): Step {
  return { crawl: 'first', set: facts.set, since, cursor: null, ...begunAt(facts) }
}

/** Returns the bound of the list's request; null if all of it is read. */
export function boundOf({ filledFrom }: Facts): string | null {
  return Date.parse(filledFrom) === 0 ? null : filledFrom
}

/** All of the list is read again from the newest record on. What is stored stays, and is known to be read. */
export function readAgain(state: StoredState, since: string | null): StoredState {
  return withCrawls({ ...state, since, beyond: 'notRead' }, { fill: { cursor: null }, catchUp: null })
}

/**
 * Plans to read the list again if another key or plan may list more, or if records from before the bound are to be kept.
 */
function applyFacts(state: StoredState, facts: Facts): StoredState {
  const { set, keys, nowMs, filledFrom } = facts
  const bound = boundOf(facts)
  const isOtherKey = state.keys !== null && state.keys !== keys
  const named = { ...state, keys }
  if (isOtherKey || state.set !== set) {
    const unknown = { ...named, set, list: UNKNOWN_LIST, recheck: null, dataVersion: null }
    return readAgain({ ...unknown, nextReadAt: iso(nowMs) }, bound)
  }
  const isLonger = state.since !== null && Date.parse(state.since) > Date.parse(filledFrom) + DAY_MS
  return state.status === 'complete' && isLonger ? readAgain(named, bound) : named
}

/** Chooses the next step. With few calls, a crawl to newer records is always due; the one to older records takes turns. */
export function chooseStep(stored: SyncState, facts: Facts, owesOlder: boolean): Step | Pause {
  if (stored.status === 'empty' || stored.source !== facts.source) return beginAnew(facts, boundOf(facts))
  if (hasLostRecords(stored, facts)) return beginAnew(facts, boundOf(facts))
  const state = applyFacts(stored, facts)
  const { newer, older, recheck } = waitsOf(state, facts)
  const isUnderWay = crawlsOf(state).catchUp !== null
  if (newer === 0 && (isUnderWay || !owesOlder || older > 0)) return catchUpStep(state, facts)
  if (recheck === 0) return recheckStep(state, facts)
  if (state.status !== 'filling' || older > 0) return { crawl: null, from: state }
  return { crawl: 'older', from: state, set: state.set, since: state.since, cursor: state.fill.cursor }
}

/** Records are gone from the vendor that may be stored here. */
function hasLostRecords({ dataVersion }: StoredState, { data: { version } }: Facts): boolean {
  const read = parseDataVersion(dataVersion ?? undefined)
  return (
    read !== null && version !== null && (read.store !== version.store || read.removed !== version.removed)
  )
}

function begunAt({ nowMs, data: { version } }: Facts): Begun {
  return { startedAt: iso(nowMs), dataVersion: version && formatDataVersion(version) }
}

/** Returns the time until the next step. */
export function waitAfter(state: StoredState, facts: Facts): number {
  const { newer, older, recheck } = waitsOf(state, facts)
  return Math.max(Math.min(newer, older, recheck), facts.isFree ? 0 : pauseAfter(state, facts))
}

/** Returns true if nobody waits for the next page of a fill, and its call is spare. */
export function isBackgroundFill(
  state: StoredState,
  { nowMs, isFree, wantedFrom = null }: { nowMs: number; isFree: boolean; wantedFrom?: number | null },
): boolean {
  const isWanted = wantedFrom !== null && wantedFrom < Date.parse(state.storedFrom)
  return !isFree && !isWanted && isDeep(state, nowMs)
}

/** The next poll for new records takes no notice of a comparison, which makes half as many calls as other crawls. */
function pauseAfter(state: StoredState, { budgets, nowMs }: Facts): number {
  const isUnderWay = state.status !== 'complete' && !(state.catchUp === null && isDeep(state, nowMs))
  if (isUnderWay) return fillPauseOf(budgets)
  return state.recheck ? 2 * fillPauseOf(budgets) : 0
}

/** Returns the wait of each crawl. A failed crawl is paused, and the others do not wait for it. */
function waitsOf(state: StoredState, facts: Facts): Record<CrawlName, number> {
  const { backoffs, nowMs, elapsedMs } = facts
  const pauseOf = (crawl: CrawlName) => Math.max(0, backoffs[crawl].pausedUntilMs - elapsedMs)
  const { dataVersion } = begunAt(facts)
  const isDue =
    (dataVersion !== null && dataVersion !== state.dataVersion) || (facts.isFree && state.list.isDue)
  const { catchUp } = crawlsOf(state)
  const dueMs = catchUp || isDue ? 0 : Math.max(0, Date.parse(state.nextReadAt) - nowMs)
  const isScarce = isBackgroundFill(state, facts) && spareCallsOf(facts) < 1
  const scarceMs = Math.max(0, backoffs.older.pausedUntilMs + SCARCE_EVERY_MS - elapsedMs)
  const olderMs = isScarce ? scarceMs : pauseOf('older')
  const older = state.status === 'filling' ? olderMs : Number.POSITIVE_INFINITY
  // In a list without order, polling for new records means reading all of it, which is in progress.
  const isPolled = state.list.order !== 'none' || older > 0
  const recheck =
    catchUp === null
      ? Math.max(
          0,
          nextRecheck(state, { ...facts, isDeep: isDeep(state, nowMs) }).dueMs - nowMs,
          pauseOf('recheck'),
        )
      : Number.POSITIVE_INFINITY
  return { newer: isPolled ? Math.max(dueMs, pauseOf('newer')) : Number.POSITIVE_INFINITY, older, recheck }
}

/**
 * Adds the list's bound to a request, for a vendor that is not known to be empty. Returns null if the request had it, or
 * the plan allows none.
 */
export function withinBound(step: Step): Step | null {
  if (step.crawl !== 'newer' || step.cursor || step.since !== null || step.bound === null) return null
  const { from, bound } = step
  return { ...step, since: bound, from: { ...from, list: { ...from.list, isEmpty: false } } }
}

function catchUpStep(state: StoredState, facts: Facts): Step {
  const { set, list } = state
  const { catchUp } = crawlsOf(state)
  // The bound moves on with the days once all behind it is stored.
  const isMoved = state.status === 'complete' && state.since !== null
  const bound = isMoved ? boundOf(facts) : state.since
  const common = { crawl: 'newer', from: state, set } as const
  if (catchUp) return { ...common, since: bound, bound, dataVersion: state.dataVersion, ...catchUp }
  const until = boundOfCatchUp(state, { ...facts, bound })
  // Only a list without a bound shows whether the vendor has no records, or only older ones than are stored.
  const isUnbounded =
    state.status === 'complete' && list.isEmpty !== false && facts.backoffs.newer.failures === 0
  if (isUnbounded) return { ...common, since: null, bound, cursor: null, ...begunAt(facts), until }
  // A list without order is read to its end, which a later bound brings nearer.
  const since = list.order === 'none' && (bound === null || until > bound) ? until : bound
  return { ...common, since, bound, cursor: null, ...begunAt(facts), until }
}

/** Compares stored records with the list, down to a time: what came late, was changed or was withdrawn is found. */
function recheckStep(state: StoredState, facts: Facts): Step {
  const { set, since: bound, recheck, dataVersion, list } = state
  const common = { crawl: 'recheck', from: state, set, bound } as const
  if (recheck) return { ...common, since: bound, dataVersion, ...recheck }
  const { name, until } = nextRecheck(state, { ...facts, isDeep: isDeep(state, facts.nowMs) })
  // A plan that refused the bound before may reach further by now.
  if (name === 'all' && bound === null && boundOf(facts) !== null)
    return { ...common, since: boundOf(facts), cursor: null, ...begunAt(facts), dataVersion, until }
  // If a list ends at the bound, its total shows whether all of it was met.
  const since = bound !== null && list.paging === 'cursor' && until > bound ? until : bound
  return { ...common, since, cursor: null, ...begunAt(facts), dataVersion, until }
}

/** Returns how far back a catch-up goes: to the stored records, or, if calls cost nothing, over a list known to differ. */
function boundOfCatchUp(
  { storedTo, list, status }: StoredState,
  { newestAt, isFree, bound }: Facts & { bound: string | null },
): string {
  if (status !== 'filling' && isFree && list.isDue) return bound ?? iso(0)
  const stored = newestAt !== null && newestAt < storedTo ? newestAt : storedTo
  return iso(Date.parse(stored) - OVERLAP_MS)
}
