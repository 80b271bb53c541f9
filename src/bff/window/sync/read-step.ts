import type { Clock } from '#bff/time/clock.ts'
import { KEPT_DAYS, startOfDays } from '#bff/time/window-days.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { ThreatNames } from '#bff/vendor/reader/read-threat.ts'
import { countHeld } from '#bff/window/store/store-threats.ts'
import { readNewestTime } from '#bff/window/store/threat-queries.ts'
import type { SetState } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { forgetAll, type KeepHow, keepPage } from './keep-page.ts'
import { fillPauseOf, paceOf } from './pace.ts'
import { lastTime, redactionOf, startOfList } from './page-facts.ts'
import { type Reach, readReach, writeReach, writeTrouble } from './reach.ts'
import { NO_SETBACKS, setBack, troubleOf, type WalkName, withoutSetback } from './setbacks.ts'
import { createWalk, isForbidden, readFirst, type WalkPage } from './walk.ts'
import {
  boundOfLook,
  chooseWalk,
  NO_NEWER,
  OVERLAP_MS,
  placeOf,
  RECONCILED_MS,
  waitsOf,
} from './walk-turns.ts'

const NO_PAGE: WalkPage = { threats: [], next: null, isCut: false, total: null }

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
  const walk = createWalk(upstream, names)
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
  async function begin(set: RouteSet, since: string | null = fillStart()): Promise<Reach> {
    const startedMs = now()
    const { page, bound } = await readFirst(walk, set, since)
    const last = lastTime(page, startedMs)
    const reach: Reach = {
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
      olderPlace: page.next,
      newerPlace: null,
      newerStartedAt: null,
      newerUntil: null,
      reconciledAt: iso(startedMs),
      lastReadAt: iso(now()),
      nextReadAt: iso(now() + paceOf(await budgets(set), now())),
      revision: 0,
    }
    await keep(reach, page, { isFirst: true })
    return reach
  }

  /** Goes on towards the window's start. */
  async function readOlder(reach: Reach): Promise<Reach> {
    const page = await walk(reach.set, reach.since, reach.olderPlace)
    const last = lastTime(page, now())
    const isEnd = page.next === null || last < fillStart()
    const oldest = last < reach.heldFrom ? last : reach.heldFrom
    const next: Reach = {
      ...reach,
      heldFrom:
        isEnd && !page.isCut
          ? startOfList(reach.since, oldest, { count: await countHeld(database), nowMs: now() })
          : oldest,
      isComplete: isEnd,
      olderPlace: isEnd ? null : page.next,
      lastReadAt: iso(now()),
    }
    const gains: WalkName[] = isEnd || oldest < reach.heldFrom ? ['older'] : []
    await keep(next, page, { dropsOlder: isEnd, gains })
    return next
  }

  /** Reads from the newest record back to what is held; every so often further, for records that came late. */
  async function readNewer(reach: Reach): Promise<Reach> {
    const startedAt = reach.newerStartedAt ?? iso(now())
    const isStart = reach.newerPlace === null
    const since = isStart && reach.isComplete && reach.since ? fillStart() : reach.since
    const until = reach.newerUntil ?? (await newerBound(reach))
    const page = await walk(reach.set, since, reach.newerPlace)
    if (isStart && (redactionOf(page.threats) ?? reach.isRedacted) !== reach.isRedacted)
      return begin(reach.set)

    const last = lastTime(page, now())
    const isEnd = page.next === null
    const isDone = isEnd || last < until
    // A list that breaks off above what is held leaves a gap: the next look begins anew.
    const isClosed =
      (isEnd && !page.isCut) || last < until || last < iso(Date.parse(reach.heldTo) - OVERLAP_MS)
    const isReconciled = isDone && !page.isCut && Date.parse(until) <= Date.parse(startedAt) - RECONCILED_MS
    const edge = isEnd && !page.isCut && since === null && page.threats.length > 0 ? last : reach.heldFrom
    const next: Reach = {
      ...reach,
      since,
      heldFrom: edge > keptFrom() ? edge : keptFrom(),
      heldTo: isClosed ? startedAt : reach.heldTo,
      newerPlace: isDone ? null : page.next,
      newerStartedAt: isDone ? null : startedAt,
      newerUntil: isDone ? null : until,
      reconciledAt: isReconciled ? startedAt : reach.reconciledAt,
      lastReadAt: iso(now()),
      nextReadAt: isDone ? iso(now() + paceOf(await budgets(reach.set), now())) : reach.nextReadAt,
    }
    const gains: WalkName[] = isDone ? ['newer'] : []
    await keep(next, page, { dropsOlder: reach.isComplete && isDone, gains })
    if (isFree && isStart && isDone && reach.isComplete && (await disagrees(page.total, since)))
      return begin(reach.set)
    return next
  }

  /** Whether records have come or gone behind what was read: an import beside a running reader does that. */
  async function disagrees(total: number | null, since: string | null): Promise<boolean> {
    if (total === null || since === null) return false
    const found = total - (await countHeld(database, since))
    // One that reading everything again did not mend is not worth another reading.
    if (found === 0 || found === disagreement) return false
    disagreement = found
    return true
  }

  async function newerBound(reach: Reach): Promise<string> {
    const paceMs = paceOf(await budgets(reach.set), now())
    return boundOfLook(reach, { nowMs: now(), paceMs, newest: await readNewestTime(database) })
  }

  async function keep(reach: Reach, page: WalkPage, { gains = [], ...how }: KeepHow & Gains = {}) {
    const left = withoutSetback(setbacks, gains)
    const trouble = troubleOf(left)
    await keepPage(database, { reach, page, keptFrom: keptFrom(), trouble }, how)
    setbacks = left
  }

  const waits = (reach: Reach) => waitsOf(reach, setbacks, { nowMs: now(), elapsedMs: clock.elapsedMs() })

  async function waitAfter(reach: Reach): Promise<number> {
    const { newer, older } = waits(reach)
    const isWalking = reach.newerPlace !== null || !reach.isComplete
    return Math.max(Math.min(newer, older), isWalking ? fillPauseOf(await budgets(reach.set)) : 0)
  }

  async function budgets(set: RouteSet): Promise<SetState['budgets']> {
    return (await upstream.state()).sets[set].budgets
  }

  /** Takes in what a refusal says of the plan's window; null where it says nothing of it. */
  async function narrow(reach: Reach, walk: WalkName, error: unknown): Promise<Reach | null> {
    if (!isForbidden(error)) return null
    // The plan's window has shrunk: what it allows no longer is not shown any more.
    if (reach.since !== null) return begin(reach.set, null)
    if (placeOf(reach, walk) === null) return null
    const nextReadAt = iso(now() + paceOf(await budgets(reach.set), now()))
    const ended: Reach = { ...reach, ...NO_NEWER, isComplete: true, olderPlace: null, nextReadAt }
    await keep(ended, NO_PAGE, { dropsOlder: true })
    return ended
  }

  /** A walk that has failed rests, and a reader of the window is told why. */
  async function rest(reach: Reach, walk: WalkName, error: unknown): Promise<Reach> {
    onFailure?.(error)
    const hadPlace = placeOf(reach, walk) !== null
    const paceMs = paceOf(await budgets(reach.set), now())
    setbacks = setBack(setbacks, walk, {
      error,
      hadPlace,
      nowMs: now(),
      elapsedMs: clock.elapsedMs(),
      paceMs,
    })
    // A cursor that the vendor does not know: from the newest record again.
    const isLost = hadPlace && error instanceof UpstreamError && error.kind === 'rejected'
    const after = isLost ? { ...reach, ...(walk === 'newer' ? NO_NEWER : { olderPlace: null }) } : reach
    await database.transaction(async (db) => {
      if (isLost) await writeReach(db, after)
      await writeTrouble(db, source, troubleOf(setbacks))
    })
    return after
  }

  async function goOn(reach: Reach, walk: WalkName): Promise<Reach> {
    owesOlder = walk === 'newer' && !reach.isComplete
    try {
      return walk === 'newer' ? await readNewer(reach) : await readOlder(reach)
    } catch (error) {
      signal?.throwIfAborted()
      const narrowed = await narrow(reach, walk, error).catch((again: unknown) => rest(reach, walk, again))
      return narrowed ?? rest(reach, walk, error)
    }
  }

  return async () => {
    const found = await readReach(database)
    const isOther = found !== null && found.source !== source
    if (isOther) await forgetAll(database)
    const reach = isOther ? null : found
    const permitted = upstream.permittedSets()
    const set = ROUTE_SETS.find((one) => permitted.includes(one)) ?? reach?.set ?? 'v1'
    if (!reach || reach.set !== set) {
      setbacks = NO_SETBACKS
      return waitAfter(await begin(set))
    }
    const walk = chooseWalk(reach, waits(reach), owesOlder)
    return waitAfter(walk ? await goOn(reach, walk) : reach)
  }
}

type Gains = {
  /** The walks that have come further by it than ever. */
  gains?: readonly WalkName[]
}
