import { expect, test } from 'vitest'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { holdThreats, makeThreat } from '#test/support/window/hold-threats.ts'
import { makeSyncState } from '#test/support/window/make-sync-state.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createFindTriggers } from './find-triggers.ts'
import { createFindMatches } from './profile-matches.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const FROM = '2026-03-05T00:00:00.000Z'
const PROFILES = [
  { id: 'p-1', name: 'Ashfall', keywords: ['ashfall'], categories: [] },
  { id: 'p-2', name: 'Nothing', keywords: ['never'], categories: [] },
].map((profile) => ({
  ...profile,
  destinations: { email: [], slack: null, teams: null },
  triggeredCount: null,
  createdAt: null,
  updatedAt: null,
}))

async function watch(database: OpenDatabase, threats: readonly Threat[]) {
  const { store, clock } = await holdThreats(database, { now: NOW, from: FROM, threats })
  const cached = {
    value: { profiles: PROFILES, unreadable: 0 },
    fetchedAtMs: 0,
    freshForMs: 0,
    staleReason: null,
  }
  const known = { list: null as typeof cached | null, reads: 0 }
  const profiles = {
    peek: async () => known.list,
    async read() {
      known.reads += 1
      known.list = cached
      return cached
    },
  }
  let revision = 1
  const findMatches = createFindMatches(store)
  return {
    known,
    clock,
    profiles,
    findTriggers: createFindTriggers({ generation: () => 0, profiles, findMatches, clock }),
    async bring(...newer: Threat[]) {
      revision += 1
      await storeThreats(database, placeThreats(newer, NOW))
      await writeSyncState(database, { ...makeSyncState(NOW, { storedFrom: FROM }), revision })
      store.forget()
      clock.wait(2_000)
    },
  }
}

test(
  'names the profiles that match what is new, once',
  withDatabase('bff', async (database) => {
    const { findTriggers, bring } = await watch(database, [makeThreat('a', '2026-03-10T01:00:00.000Z')])
    expect(await findTriggers()).toEqual([])
    await bring(makeThreat('b', '2026-03-10T02:00:00.000Z'), makeThreat('c', '2026-03-09T00:00:00.000Z'))

    expect(await findTriggers()).toEqual([{ id: 'p-1', name: 'Ashfall', newMatches: 2 }])
    expect(await findTriggers()).toEqual([])
  }),
)

test(
  'what is filled in behind what was held is no news',
  withDatabase('bff', async (database) => {
    const { findTriggers, bring } = await watch(database, [makeThreat('a', '2026-03-10T01:00:00.000Z')])
    await findTriggers()
    await bring(makeThreat('old', '2026-03-01T00:00:00.000Z'))
    expect(await findTriggers()).toEqual([])
  }),
)

test(
  'asks for the profiles a few times a day at most, and does without them',
  withDatabase('bff', async (database) => {
    const { findTriggers, known, clock, profiles } = await watch(database, [
      makeThreat('a', '2026-03-10T01:00:00.000Z'),
    ])
    for (let look = 0; look < 5; look += 1) await findTriggers()
    expect(known.reads).toBe(1)
    clock.wait(6 * 3_600_000)
    await findTriggers()
    expect(known.reads).toBe(2)

    known.list = null
    profiles.read = async () => {
      throw new UpstreamError({ set: 'earlier', kind: 'set_forbidden', reason: 'a test' })
    }
    clock.wait(6 * 3_600_000)
    expect(await findTriggers()).toEqual([])
  }),
)
