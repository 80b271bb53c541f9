import { createListPairs } from '#bff/store/lists/list-pairs.ts'
import type { SearchContext } from '#bff/store/read-search.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { makeSyncState } from './make-sync-state.ts'

export function makeThreat(id: string, publishedAt: string, some: Partial<Threat> = {}): Threat {
  const none = { excerpt: null, industries: [], organizations: [], domains: [], redacted: [] }
  const named = { title: 'Northwind named', category: 'Ransomware', severity: 'high', actors: ['Ashfall'] }
  return { id, set: 'v1', ...none, ...named, countries: [{ code: 'DE', name: 'DE' }], publishedAt, ...some }
}

type Stored = {
  now: string
  from?: string
  threats: readonly Threat[]
  profiles?: SearchContext['profiles']
}

/** A window that holds these threats; without threats it is empty. */
export async function holdThreats(database: Database, { now, from, threats, profiles }: Stored) {
  const clock = createVirtualClock(Date.parse(now))
  if (threats.length > 0) {
    await storeThreats(database, placeThreats(threats, now))
    await writeSyncState(database, makeSyncState(now, from ? { storedFrom: from } : {}))
  }
  const searchContext = { clock, readListPairs: createListPairs(database), ...(profiles && { profiles }) }
  const store = createThreatStore({
    limits: USUAL_HISTORY,
    database,
    clock,
    source: 'a source',
    searchContext,
  })
  return { clock, store, searchContext }
}
