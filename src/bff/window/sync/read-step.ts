import type { Clock } from '#bff/time/clock.ts'
import { KEPT_DAYS, startOfDays } from '#bff/time/window-days.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import type { ThreatNames } from '#bff/vendor/reader/read-threat.ts'
import { countStored } from '#bff/window/store/store-threats.ts'
import { readNewestTime } from '#bff/window/store/threat-queries.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { beginAnew, chooseStep, type Facts, type Step, waitAfter } from './choose-step.ts'
import { createCrawl } from './crawl.ts'
import { afterFailure, afterPage, endsFill, type Outcome } from './next-step.ts'
import { NO_SETBACKS } from './setbacks.ts'
import { emptyWindow, storePage, storeRest } from './store-page.ts'
import { EMPTY, readSyncState, type StoredState, type SyncState } from './sync-state.ts'

export type ReadStepOptions = {
  database: Database
  upstream: Pick<Upstream, 'call' | 'permittedSets' | 'state'>
  clock: Clock
  /** Names the vendor's address and the keys. */
  source: string
  /** How far back the window is filled: days of UTC before the current one. */
  filledDays: number
  /** Whether calls cost nothing: then a list that holds more or less than is stored is read anew. */
  isFree?: boolean
  names?: ThreatNames
  /** Hears of what was in the way of a crawl, which rests then. */
  onFailure?: (error: unknown) => void
  /** Ends the leadership: nothing is written after it. */
  signal?: AbortSignal
}

/** Makes at most a few calls and stores what they gave; returns how long to wait for the next step. */
export type ReadStep = () => Promise<number>

export function createReadStep(options: ReadStepOptions): ReadStep {
  const { database, upstream, clock, source, filledDays, isFree = false, names, onFailure, signal } = options
  const crawl = createCrawl(upstream, names)
  let setbacks = NO_SETBACKS
  let owesOlder = false
  /** What did not agree when the window was last begun anew: the same again would be the same in vain. */
  let disagreement: number | null = null

  async function gatherFacts(set: RouteSet): Promise<Facts> {
    const { budgets } = (await upstream.state()).sets[set]
    const newestAt = await readNewestTime(database)
    const nowMs = clock.nowMs()
    return {
      nowMs,
      elapsedMs: clock.elapsedMs(),
      source,
      set,
      budgets,
      filledFrom: startOfDays(filledDays, nowMs).toISOString(),
      keptFrom: startOfDays(KEPT_DAYS, nowMs).toISOString(),
      newestAt,
      setbacks,
      isFree,
    }
  }

  /** Another source's window goes before this one's is begun. */
  async function readState(): Promise<SyncState> {
    const state = await readSyncState(database)
    if (state.status === 'empty' || state.source === source) return state
    await emptyWindow(database)
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
      if (outcome.kind !== 'ask') return outcome.state
      step = outcome.step
    }
  }

  async function attempt(step: Step): Promise<Outcome> {
    const page = await crawl(step)
    const facts = await gatherFacts(step.set)
    const isCounted = step.crawl === 'older' && endsFill(page, facts)
    const outcome = afterPage(step, page, {
      ...facts,
      countStored: isCounted ? await countStored(database) : 0,
    })
    if (outcome.kind !== 'store') return outcome
    await storePage(database, outcome, facts.keptFrom)
    setbacks = outcome.setbacks
    const { expected } = outcome
    const isAmiss = expected !== null && (await disagrees(expected))
    return isAmiss ? { kind: 'ask', step: beginAnew(facts, facts.filledFrom) } : outcome
  }

  async function recover(chosen: Step, asked: Step, error: unknown): Promise<Outcome> {
    signal?.throwIfAborted()
    const facts = await gatherFacts(asked.set)
    const outcome = afterFailure(chosen, asked, error, facts)
    if (outcome === null) throw error
    if (outcome.kind === 'store') await storePage(database, outcome, facts.keptFrom)
    if (outcome.kind !== 'rest') return outcome
    onFailure?.(error)
    setbacks = outcome.setbacks
    await storeRest(database, outcome)
    return outcome
  }

  /** Whether records have come or gone behind what was read: an import beside a running sync does that. */
  async function disagrees({ total, since }: { total: number; since: string }): Promise<boolean> {
    const found = total - (await countStored(database, since))
    // One that reading everything again did not mend is not worth another reading.
    if (found === 0 || found === disagreement) return false
    disagreement = found
    return true
  }

  return async () => {
    const state = await readState()
    const set = chooseSet(state)
    const step = chooseStep(state, await gatherFacts(set), owesOlder)
    if (step.crawl === 'first') setbacks = NO_SETBACKS
    else if (step.crawl) owesOlder = step.crawl === 'newer' && step.from.status === 'filling'
    const after = step.crawl ? await follow(step) : step.from
    return waitAfter(after, await gatherFacts(set))
  }
}
