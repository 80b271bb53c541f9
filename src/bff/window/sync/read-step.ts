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
import { type Reach, readReach, writeReach } from './reach.ts'
import { createWalk, type WalkPage } from './walk.ts'

const DAY_MS = 86_400_000
/** Records that appear with a time a little before those already read. */
const OVERLAP_MS = 10 * 60_000
const RECONCILED_MS = 2 * DAY_MS
const RECONCILE_EVERY_MS = 3_600_000
/** A reconciliation takes several calls: with a small budget it comes less often. */
const RECONCILE_EVERY_PACES = 50

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
}

/** Makes at most a few calls and stores what they gave; returns how long to wait for the next step. */
export type ReadStep = () => Promise<number>

export function createReadStep(options: ReadStepOptions): ReadStep {
  const { database, upstream, clock, source, filledDays, isFree = false, names } = options
  const walk = createWalk(upstream, names)
  /** With few calls to make, a look for new records is always due: the walk to older ones takes its turn. */
  let owesOlder = false
  /** What did not agree when the window was last begun anew: the same again would be the same in vain. */
  let disagreement: number | null = null
  const now = () => clock.nowMs()
  const iso = (ms: number) => new Date(ms).toISOString()
  const fillStart = () => startOfDays(filledDays, now()).toISOString()
  const keptFrom = () => startOfDays(KEPT_DAYS, now()).toISOString()

  /** The newest page and the bound that it was read with: none where the plan's window is shorter than ours. */
  async function readFirst(
    set: RouteSet,
    since: string | null,
  ): Promise<{ page: WalkPage; bound: string | null }> {
    try {
      return { page: await walk(set, since, null), bound: since }
    } catch (error) {
      if (since === null || !isForbidden(error)) throw error
      return { page: await walk(set, null, null), bound: null }
    }
  }

  /** Starts a window of a source or a route set, in the place of any other. */
  async function begin(set: RouteSet, since: string | null = fillStart()): Promise<number> {
    const startedMs = now()
    const { page, bound } = await readFirst(set, since)
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
    return waitAfter(reach)
  }

  /** Goes on towards the window's start. */
  async function readOlder(reach: Reach): Promise<number> {
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
    await keep(next, page, { dropsOlder: isEnd })
    return waitAfter(next)
  }

  /** Reads from the newest record back to what is held; every so often further, for records that came late. */
  async function readNewer(reach: Reach): Promise<number> {
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
    await keep(next, page, { dropsOlder: reach.isComplete && isDone })
    if (isFree && isStart && isDone && reach.isComplete && (await disagrees(page.total, since)))
      return begin(reach.set)
    return waitAfter(next)
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

  async function newerBound({ heldTo, since, reconciledAt, set }: Reach): Promise<string> {
    const every = Math.max(RECONCILE_EVERY_MS, RECONCILE_EVERY_PACES * paceOf(await budgets(set), now()))
    // Where the plan's window is shorter than ours, only its end tells how far it reaches today.
    if (since === null && now() - Date.parse(reconciledAt) >= Math.max(every, DAY_MS)) return iso(0)
    if (now() - Date.parse(reconciledAt) >= every) return iso(now() - RECONCILED_MS)
    const newest = await readNewestTime(database)
    const held = newest !== null && newest < heldTo ? newest : heldTo
    return iso(Date.parse(held) - OVERLAP_MS)
  }

  const keep = (reach: Reach, page: WalkPage, how: KeepHow = {}) =>
    keepPage(database, { reach, page, keptFrom: keptFrom() }, how)

  async function waitAfter(reach: Reach): Promise<number> {
    if (reach.newerPlace !== null || !reach.isComplete) return fillPauseOf(await budgets(reach.set))
    return Math.max(0, Date.parse(reach.nextReadAt) - now())
  }

  async function budgets(set: RouteSet): Promise<SetState['budgets']> {
    return (await upstream.state()).sets[set].budgets
  }

  /** Mends what a refusal says of the place or of the bound; null where it says neither. */
  async function mend(reach: Reach, error: unknown): Promise<number | null> {
    const kind = error instanceof UpstreamError ? error.kind : null
    const hasPlace = reach.newerPlace !== null || reach.olderPlace !== null
    const newer = { newerPlace: null, newerStartedAt: null, newerUntil: null }
    if (kind === 'rejected' && hasPlace) {
      // The vendor knows its cursor no longer: from the newest record again.
      await writeReach(database, { ...reach, ...newer, olderPlace: null })
    } else if (kind === 'forbidden' && reach.since !== null) {
      // The plan's window has shrunk: what it allows no longer is not shown any more.
      return begin(reach.set, null)
    } else if (kind === 'forbidden' && hasPlace) {
      await keep({ ...reach, ...newer, isComplete: true, olderPlace: null }, NO_PAGE, { dropsOlder: true })
    } else return null
    return fillPauseOf(await budgets(reach.set))
  }

  return async () => {
    const found = await readReach(database)
    const isOther = found !== null && found.source !== source
    if (isOther) await forgetAll(database)
    const reach = isOther ? null : found
    const permitted = upstream.permittedSets()
    const set = ROUTE_SETS.find((one) => permitted.includes(one)) ?? reach?.set ?? 'v1'
    if (!reach || reach.set !== set) return begin(set)
    const isDue = Date.parse(reach.nextReadAt) <= now()
    try {
      if (reach.newerPlace !== null || (isDue && !owesOlder)) {
        owesOlder = !reach.isComplete
        return await readNewer(reach)
      }
      owesOlder = false
      return reach.isComplete ? await waitAfter(reach) : await readOlder(reach)
    } catch (error) {
      const wait = await mend(reach, error)
      if (wait === null) throw error
      return wait
    }
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'forbidden'
}
