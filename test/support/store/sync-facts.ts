import { NO_BACKOFF } from '#bff/store/sync/backoff.ts'
import { beginAnew, type Facts, type NewerStep, type Step } from '#bff/store/sync/choose-step.ts'
import type { CrawlPage } from '#bff/store/sync/crawl.ts'
import type { Cursor } from '#bff/store/sync/crawl-cursor.ts'
import { afterPage } from '#bff/store/sync/next-step.ts'
import type { PageFacts } from '#bff/store/sync/read-page.ts'
import type {
  CatchingUpState,
  CatchUp,
  CompleteState,
  FillingState,
  StoredState,
} from '#bff/store/sync/sync-state.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { makeThreat } from './hold-threats.ts'
import { makeSyncState } from './make-sync-state.ts'

export const NOW = '2026-03-10T12:00:00.000Z'
export const FILLED_FROM = '2026-02-08T00:00:00.000Z'

/** The moment so long before now. */
export const ago = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString()
export const cursorAt = (cursor: string): Cursor => ({ set: 'v1', cursor, used: [] })

/** What a step is decided by: at noon, with large budgets, and with nothing in the way. */
export function makeFacts(some: Partial<Facts> = {}): Facts {
  return {
    nowMs: Date.parse(NOW),
    elapsedMs: 0,
    source: 'a source',
    keys: null,
    set: 'v1',
    budgets: { minute: null, day: null },
    usualHours: new Map(),
    filledFrom: FILLED_FROM,
    keptFrom: FILLED_FROM,
    keptRecords: 300_000,
    newestAt: null,
    backoffs: NO_BACKOFF,
    isFree: false,
    data: { version: null, window: null },
    ...some,
  }
}

export const CATCH_UP: CatchUp = {
  cursor: cursorAt('newer'),
  startedAt: ago(MINUTE_MS / 2),
  until: ago(60 * MINUTE_MS),
}

/** Windows that were read a minute ago, and are due now. */
export function makeComplete(some: Partial<CompleteState> = {}): CompleteState {
  const then = ago(MINUTE_MS)
  return makeSyncState(then, { since: FILLED_FROM, storedFrom: FILLED_FROM, nextReadAt: NOW, ...some })
}
export function makeCatchingUp(some: Partial<CatchingUpState> = {}): CatchingUpState {
  return { ...makeComplete(), status: 'catchingUp', catchUp: CATCH_UP, ...some }
}
/** It has come ten days far. */
export function makeFilling(some: Partial<FillingState> = {}): FillingState {
  const storedFrom = ago(10 * 24 * 60 * MINUTE_MS)
  const fill = { cursor: cursorAt('older') }
  return {
    ...makeComplete({ storedFrom, beyond: 'notRead' }),
    status: 'filling',
    fill,
    catchUp: null,
    ...some,
  }
}

/** A page of records so long ago, newest first. */
export function pageOf(agesMs: readonly number[], some: Partial<CrawlPage> = {}): CrawlPage {
  const threats = agesMs.map((age, at) => makeThreat(`thr_${at}`, ago(age)))
  const none = { contents: new Map(), unreadable: [], doubles: 0, next: null, isCut: false, total: null }
  const page = { threats, ...none, ...some }
  return { fresh: page.threats, ...page }
}

export function redact(page: CrawlPage): CrawlPage {
  return { ...page, threats: page.threats.map((threat) => ({ ...threat, redacted: ['title'] })) }
}

export const beginWith = (since: string | null = FILLED_FROM) => beginAnew(makeFacts(), since)
export const older = (from: FillingState): Step => {
  return { crawl: 'older', from, set: 'v1', since: from.since, cursor: from.fill.cursor }
}
const BEGUN = { startedAt: NOW, dataVersion: null }
/** A look for new records that begins now. */
export const look = (from: StoredState, some: Partial<NewerStep> = {}): Step => {
  const { set, since } = from
  const bounds = { since, bound: since, until: ago(HOUR_MS), ...some }
  return { crawl: 'newer', from, set, cursor: null, ...BEGUN, ...some, ...bounds, bound: bounds.since }
}
export const goOn = (from: StoredState): Step => {
  return look(from, from.status === 'complete' ? CATCH_UP : { ...CATCH_UP, ...from.catchUp })
}

type More = Partial<Facts & PageFacts>
export const follow = (step: Step, page: CrawlPage, some: More = {}) => {
  const { length } = page.threats
  const counts = { countStored: 100, known: new Set<string>(), unstored: length }
  return afterPage(step, page, { ...makeFacts(some), ...counts, ...some })
}
