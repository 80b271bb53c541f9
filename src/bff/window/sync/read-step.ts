import type { Clock } from '#bff/time/clock.ts'
import { KEPT_DAYS, startOfDays } from '#bff/time/window-days.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { ThreatNames } from '#bff/vendor/reader/read-threat.ts'
import { countStored } from '#bff/window/store/store-threats.ts'
import { readNewestTime } from '#bff/window/store/threat-queries.ts'
import type { SetState } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { type CrawlPage, createCrawl, isForbidden, readFirst } from './crawl.ts'
import {
  boundOfLook,
  chooseCrawl,
  cursorOf,
  NO_NEWER,
  OVERLAP_MS,
  RECONCILED_MS,
  waitsOf,
} from './crawl-turns.ts'
import { forgetAll, type KeepHow, keepPage } from './keep-page.ts'
import { fillPauseOf, paceOf } from './pace.ts'
import { lastTime, redactionOf, startOfList } from './page-facts.ts'
import { type CrawlName, NO_SETBACKS, setBack, troubleOf, withoutSetback } from './setbacks.ts'
import { readSyncState, type SyncState, writeSyncState, writeTrouble } from './sync-state.ts'

const NO_PAGE: CrawlPage = { threats: [], next: null, isCut: false, total: null }

export type ReadStepOptions = {
  database: Database
  upstream: Pick<Upstream, 'call' | 'permittedSets' | 'state'>
  clock: Clock
  /** Names the vendor's address and the keys. */
  source: string
  /** How far back the window is filled: days of UTC before the current one. */
  filledDays: number
  /** Whether calls cost nothing: then a list that holds more or less than is held here is read anew. */
  isFree?: boolean
  names?: ThreatNames
  /** Hears of what was in the way of a walk, which rests then. */
  onFailure?: (error: unknown) => void
  /** Ends the office: nothing is written after it. */
  signal?: AbortSignal
}

/** Makes at most a few calls and stores what they gave; returns how long to wait for the next step. */
export type ReadStep = () => Promise<number>

export function createReadStep(options: ReadStepOptions): ReadStep {
  const { database, upstream, clock, source, filledDays, isFree = false, names, onFailure, signal } = options
  const crawl = createCrawl(upstream, names)
  /** With few calls to make, a look for new records is always due: the walk to older ones takes its turn. */
  let owesOlder = false
  /** What did not agree when the window was last begun anew: the same again would be the same in vain. */
  let disagreement: number | null = null
  let setbacks = NO_SETBACKS
  const now = () => clock.nowMs()
  const iso = (ms: number) => new Date(ms).toISOString()
  const fillStart = () => startOfDays(filledDays, now()).toISOString()
  const keptFrom = () => startOfDays(KEPT_DAYS, now()).toISOString()

  /** Starts a window of a source or a route set, in the place of any other. */
  async function begin(set: RouteSet, since: string | null = fillStart()): Promise<SyncState> {
    const startedMs = now()
    const { page, bound } = await readFirst(crawl, set, since)
    const last = lastTime(page, startedMs)
    const sync: SyncState = {
      source,
      set,
      heldFrom:
        page.next === null && !page.isCut
          ? startOfList(bound, last, { count: page.threats.length, nowMs: now() })
          : last,
      heldTo: iso(startedMs),
      since: bound,
      isComplete: page.next === null,
      isRedacted: redactionOf(page.threats) ?? false,
      olderCursor: page.next,
      newerCursor: null,
      newerStartedAt: null,
      newerUntil: null,
      reconciledAt: iso(startedMs),
      lastReadAt: iso(now()),
      nextReadAt: iso(now() + paceOf(await budgets(set), now())),
      revision: 0,
    }
    await keep(sync, page, { isFirst: true })
    return sync
  }

  /** Goes on towards the window's start. */
  async function readOlder(sync: SyncState): Promise<SyncState> {
    const page = await crawl(sync.set, sync.since, sync.olderCursor)
    const last = lastTime(page, now())
    const isEnd = page.next === null || last < fillStart()
    const oldest = last < sync.heldFrom ? last : sync.heldFrom
    const next: SyncState = {
      ...sync,
      heldFrom:
        isEnd && !page.isCut
          ? startOfList(sync.since, oldest, { count: await countStored(database), nowMs: now() })
          : oldest,
      isComplete: isEnd,
      olderCursor: isEnd ? null : page.next,
      lastReadAt: iso(now()),
    }
    const gains: CrawlName[] = isEnd || oldest < sync.heldFrom ? ['older'] : []
    await keep(next, page, { dropsOlder: isEnd, gains })
    return next
  }

  /** Reads from the newest record back to what is held; every so often further, for records that came late. */
  async function readNewer(sync: SyncState): Promise<SyncState> {
    const startedAt = sync.newerStartedAt ?? iso(now())
    const isStart = sync.newerCursor === null
    const since = isStart && sync.isComplete && sync.since ? fillStart() : sync.since
    const until = sync.newerUntil ?? (await newerBound(sync))
    const page = await crawl(sync.set, since, sync.newerCursor)
    if (isStart && (redactionOf(page.threats) ?? sync.isRedacted) !== sync.isRedacted) return begin(sync.set)

    const last = lastTime(page, now())
    const isEnd = page.next === null
    const isDone = isEnd || last < until
    // A list that breaks off above what is held leaves a gap: the next look begins anew.
    const isClosed =
      (isEnd && !page.isCut) || last < until || last < iso(Date.parse(sync.heldTo) - OVERLAP_MS)
    const isReconciled = isDone && !page.isCut && Date.parse(until) <= Date.parse(startedAt) - RECONCILED_MS
    const edge = isEnd && !page.isCut && since === null && page.threats.length > 0 ? last : sync.heldFrom
    const next: SyncState = {
      ...sync,
      since,
      heldFrom: edge > keptFrom() ? edge : keptFrom(),
      heldTo: isClosed ? startedAt : sync.heldTo,
      newerCursor: isDone ? null : page.next,
      newerStartedAt: isDone ? null : startedAt,
      newerUntil: isDone ? null : until,
      reconciledAt: isReconciled ? startedAt : sync.reconciledAt,
      lastReadAt: iso(now()),
      nextReadAt: isDone ? iso(now() + paceOf(await budgets(sync.set), now())) : sync.nextReadAt,
    }
    const gains: CrawlName[] = isDone ? ['newer'] : []
    await keep(next, page, { dropsOlder: sync.isComplete && isDone, gains })
    if (isFree && isStart && isDone && sync.isComplete && (await disagrees(page.total, since)))
      return begin(sync.set)
    return next
  }

  /** Whether records have come or gone behind what was read: an import beside a running reader does that. */
  async function disagrees(total: number | null, since: string | null): Promise<boolean> {
    if (total === null || since === null) return false
    const found = total - (await countStored(database, since))
    // One that reading everything again did not mend is not worth another reading.
    if (found === 0 || found === disagreement) return false
    disagreement = found
    return true
  }

  async function newerBound(sync: SyncState): Promise<string> {
    const paceMs = paceOf(await budgets(sync.set), now())
    return boundOfLook(sync, { nowMs: now(), paceMs, newest: await readNewestTime(database) })
  }

  async function keep(sync: SyncState, page: CrawlPage, { gains = [], ...how }: KeepHow & Gains = {}) {
    const left = withoutSetback(setbacks, gains)
    const trouble = troubleOf(left)
    await keepPage(database, { sync, page, keptFrom: keptFrom(), trouble }, how)
    setbacks = left
  }

  const waits = (sync: SyncState) => waitsOf(sync, setbacks, { nowMs: now(), elapsedMs: clock.elapsedMs() })

  async function waitAfter(sync: SyncState): Promise<number> {
    const { newer, older } = waits(sync)
    const isCrawling = sync.newerCursor !== null || !sync.isComplete
    return Math.max(Math.min(newer, older), isCrawling ? fillPauseOf(await budgets(sync.set)) : 0)
  }

  async function budgets(set: RouteSet): Promise<SetState['budgets']> {
    return (await upstream.state()).sets[set].budgets
  }

  /** Takes in what a refusal says of the plan's window; null where it says nothing of it. */
  async function narrow(sync: SyncState, crawl: CrawlName, error: unknown): Promise<SyncState | null> {
    if (!isForbidden(error)) return null
    // The plan's window has shrunk: what it allows no longer is not shown any more.
    if (sync.since !== null) return begin(sync.set, null)
    if (cursorOf(sync, crawl) === null) return null
    const nextReadAt = iso(now() + paceOf(await budgets(sync.set), now()))
    const ended: SyncState = { ...sync, ...NO_NEWER, isComplete: true, olderCursor: null, nextReadAt }
    await keep(ended, NO_PAGE, { dropsOlder: true })
    return ended
  }

  /** A walk that has failed rests, and a reader of the window is told why. */
  async function rest(sync: SyncState, crawl: CrawlName, error: unknown): Promise<SyncState> {
    onFailure?.(error)
    const hadCursor = cursorOf(sync, crawl) !== null
    const paceMs = paceOf(await budgets(sync.set), now())
    setbacks = setBack(setbacks, crawl, {
      error,
      hadCursor,
      nowMs: now(),
      elapsedMs: clock.elapsedMs(),
      paceMs,
    })
    // A cursor that the vendor does not know: from the newest record again.
    const isLost = hadCursor && error instanceof UpstreamError && error.kind === 'rejected'
    const after = isLost ? { ...sync, ...(crawl === 'newer' ? NO_NEWER : { olderCursor: null }) } : sync
    await database.transaction(async (db) => {
      if (isLost) await writeSyncState(db, after)
      await writeTrouble(db, source, troubleOf(setbacks))
    })
    return after
  }

  async function goOn(sync: SyncState, crawl: CrawlName): Promise<SyncState> {
    owesOlder = crawl === 'newer' && !sync.isComplete
    try {
      return crawl === 'newer' ? await readNewer(sync) : await readOlder(sync)
    } catch (error) {
      signal?.throwIfAborted()
      const narrowed = await narrow(sync, crawl, error).catch((again: unknown) => rest(sync, crawl, again))
      return narrowed ?? rest(sync, crawl, error)
    }
  }

  return async () => {
    const found = await readSyncState(database)
    const isOther = found !== null && found.source !== source
    if (isOther) await forgetAll(database)
    const sync = isOther ? null : found
    const permitted = upstream.permittedSets()
    const set = ROUTE_SETS.find((one) => permitted.includes(one)) ?? sync?.set ?? 'v1'
    if (!sync || sync.set !== set) {
      setbacks = NO_SETBACKS
      return waitAfter(await begin(set))
    }
    const crawl = chooseCrawl(sync, waits(sync), owesOlder)
    return waitAfter(crawl ? await goOn(sync, crawl) : sync)
  }
}

type Gains = {
  /** The walks that have come further by it than ever. */
  gains?: readonly CrawlName[]
}
