import { ProblemError } from '#bff/http/problem-error.ts'
import { refuseUnsaid } from '#bff/store/require-said.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { View } from '#contract/bff/view.ts'
import type { WatchCaveat } from '#contract/bff/watch.ts'

export type Watched = Pick<View, 'filter' | 'timeZone'>
export type CaveatDependencies = { store: Pick<ThreatStore, 'findUnsaid'>; clock: Clock }

/** Refuses to watch what the feed refuses: nobody may rely on what is never told. */
export async function requireTellable(view: Watched, dependencies: CaveatDependencies): Promise<void> {
  refuseUnsaid((await findUnsaid(view, dependencies)).unsaid)
}

/** What of a watch is never told, as far as is known; undefined where all that matches is. */
export async function readCaveat(
  view: Watched,
  dependencies: CaveatDependencies,
): Promise<WatchCaveat | undefined> {
  try {
    const { unsaid, undecided } = await findUnsaid(view, dependencies)
    if (unsaid.length > 0) return { kind: 'unsaid', parts: [...new Set(unsaid.map(({ part }) => part))] }
    return undecided > 0 ? { kind: 'undecided', threats: undecided } : undefined
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problem.fields) throw error
    return { kind: 'refused', reasons: error.problem.fields.map(({ reason }) => reason) }
  }
}

function findUnsaid(view: Watched, { store, clock }: CaveatDependencies) {
  const filter = { ...view.filter, timeZone: view.timeZone }
  return store.findUnsaid(filter, feedBounds(filter, clock.nowMs()))
}
