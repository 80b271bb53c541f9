import { readFilterFaults, type SearchDependencies } from '#bff/alerts/filter-faults.ts'
import { listProfiles, type ProfileReader } from '#bff/notify/profile-queries.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { type FeedBounds, feedBounds } from '#bff/time/time-range.ts'
import type { ThreatProfiles } from '#contract/bff/alert.ts'
import type { Database } from '#database/database.ts'
import { selectProfile, type WindowDependencies } from './profile-window.ts'

type OwnProfilesDependencies = WindowDependencies &
  SearchDependencies & { database: Database; store: Pick<ThreatStore, 'matchFacts'> }

type Verdict = ThreatProfiles['profiles'][number]['verdict']

/** What a profile matches: positions of records, newest first. */
export type ProfileMatches = {
  id: string
  name: string
  matched: { records: IndexRows; rows: readonly number[] }
}

/** What the profiles match that run in Lantern and that a reader may see. */
export function createOwnProfiles({ database, ...dependencies }: OwnProfilesDependencies) {
  return {
    async findMatches(reader: ProfileReader, bounds: FeedBounds): Promise<ProfileMatches[]> {
      const found = (await listProfiles(database, reader)).map(async ({ id, name, ...search }) => {
        const matched = await selectProfile(search, bounds, dependencies)
        return matched
          ? [{ id, name, matched: { records: matched.rows, rows: [...matched.selection.matched] } }]
          : []
      })
      return (await Promise.all(found)).flat()
    },

    /** None where the threat is not stored: nobody can say. */
    async explain(reader: ProfileReader, threatId: string): Promise<ThreatProfiles['profiles']> {
      const facts = await readFactsOf(database, [threatId])
      if (facts.length === 0) return []
      const verdicts = (await listProfiles(database, reader)).map(async ({ id, name, filter, timeZone }) => {
        if (await readFilterFaults({ filter, timeZone }, dependencies)) return []
        const search = { ...filter, timeZone }
        const bounds = feedBounds(search, dependencies.clock.nowMs())
        const matched = await dependencies.store.matchFacts(search, bounds, facts)
        const verdict: Verdict = matched.length > 0 ? 'matches' : 'no_match'
        return [{ id, name, verdict, keywords: [], categories: [] }]
      })
      return (await Promise.all(verdicts)).flat()
    },
  }
}
