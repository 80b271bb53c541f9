import type { StoredProfile } from '#bff/notify/profile-queries.ts'
import { UNBOUNDED } from '#bff/store/index/select-rows.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { selectProfile, type WindowDependencies } from './profile-window.ts'

export type MatchDependencies = WindowDependencies & { store: Pick<ThreatStore, 'matchFacts'> }

/** The newest stored record that a profile matches, as the evaluation of its alerts does; null where there is none. */
export async function findNewestMatch(
  tx: Database,
  profile: Pick<StoredProfile, 'filter' | 'timeZone'>,
  dependencies: MatchDependencies,
): Promise<Threat | null> {
  const { store, clock } = dependencies
  if ((await store.storedRange()) === null) return null
  const selected = await selectProfile(profile, UNBOUNDED, dependencies)
  const id = selected?.rows.ids[selected.selection.matched[0] ?? -1]
  if (id === undefined) return null
  const filter = { ...profile.filter, timeZone: profile.timeZone }
  const [found] = await store.matchFacts(
    filter,
    feedBounds(filter, clock.nowMs()),
    await readFactsOf(tx, [id]),
  )
  const [threat] = await readThreats(tx, found ? [found.id] : [])
  return threat ?? null
}
