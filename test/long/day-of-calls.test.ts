import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '#bff/http/log.ts'
import { createReadThreat } from '#bff/store/details/read-threats.ts'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import { staleReasonOf } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { playVendor, recentIds } from '#test/simulation/rate-limited-vendor.ts'
import type { Plan } from '#test/support/limit-calls.ts'
import { Random } from '#test/support/random.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import {
  createClient,
  createVirtualClock,
  personOf,
  type VirtualClock,
} from '#test/support/start-governed.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'

const START_MS = Date.parse('2026-03-10T00:00:00Z')
const PEOPLE = 20
const VIEWS_EACH = 30
const ACTORS_FRESH_FOR_MS = 10 * 60_000

const countsSchema = z.object({ calls: z.object({ person: z.int(), window: z.int() }) })

type View = { atMs: number; person: number; process: number; id: string | null }
type Seen = { fresh: number; stale: number; refused: number; mislabelled: number; waitsMs: number[] }

test.for<[string, { plan: Plan; processes: number }]>([
  ['5 a minute and 100 a day', { plan: { perMinute: 5, perDay: 100 }, processes: 1 }],
  ['10 a minute and 1,000 a day', { plan: { perMinute: 10, perDay: 1000 }, processes: 1 }],
  ['5 a minute and 100 a day, two processes', { plan: { perMinute: 5, perDay: 100 }, processes: 2 }],
])('a team of twenty works for a day on %s', { timeout: 180_000 }, async ([, day], { annotate }) => {
  await withDatabase('bff', async (database) => {
    const { vendor, seen, callsBy } = await simulateDay(database, day)
    const views = seen.fresh + seen.stale + seen.refused
    const p95 = seen.waitsMs.toSorted((a, b) => a - b)[Math.floor(seen.waitsMs.length * 0.95)] ?? 0
    const { waitsMs: _waits, ...counts } = seen
    await annotate(JSON.stringify({ ...vendor, ...counts, callsBy, p95WaitMs: Math.round(p95) }))

    expect(vendor.refusals).toBe(0)
    expect(vendor.calls).toBeLessThanOrEqual(day.plan.perDay)
    expect(seen.mislabelled).toBe(0)
    expect(views).toBe(PEOPLE * VIEWS_EACH)
    expect(p95).toBeLessThan(2_000)
    expect(seen.refused).toBeLessThan(views / 2)
    expect(callsBy.window).toBeGreaterThan(20)
  })()
})

async function simulateDay(database: Database, { plan, processes }: { plan: Plan; processes: number }) {
  const standIn = await startStandInUpstream()
  const clock = createVirtualClock(START_MS)
  const vendor = playVendor(standIn, { plan, nowMs: clock.nowMs })
  const desks = Array.from({ length: processes }, () => {
    const { upstream } = createClient(database, standIn, clock)
    return { upstream, readView: createReadView(upstream, database, clock) }
  })
  const seen: Seen = { fresh: 0, stale: 0, refused: 0, mislabelled: 0, waitsMs: [] }
  const [first] = desks
  if (!first) throw new Error('No process')
  const step = createReadStep({
    database,
    upstream: first.upstream,
    clock,
    source: 'simulation',
    history: { days: 30, records: 300_000 },
  })
  let readerAtMs = START_MS

  async function runReader(): Promise<void> {
    const waitMs = await step().catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error
      return (error.retryAtMs ?? clock.nowMs() + 60_000) - clock.nowMs()
    })
    readerAtMs = clock.nowMs() + Math.min(Math.max(waitMs, 50), 600_000)
  }

  for (const view of planViews(processes)) {
    while (readerAtMs <= view.atMs) {
      moveTo(clock, readerAtMs)
      await runReader()
    }
    moveTo(clock, view.atMs)
    await desks[view.process]?.readView(view, seen)
  }
  const { calls } = await readLedgerCounts(database)
  return { vendor, seen, callsBy: calls }
}

async function readLedgerCounts(database: Database) {
  const { rows } = await database.query(
    `select json_object_agg(priority, calls) as calls
       from (select priority, count(*) as calls
               from upstream_call
              where route_set = 'v1' and outcome <> 'saved'
              group by priority) as counted`,
  )
  return countsSchema.parse(rows[0])
}

/** Twenty people from eight to six: each reads threats, mostly the newest, and now and then the actors. */
function planViews(processes: number): View[] {
  const random = new Random(7)
  const views = Array.from({ length: PEOPLE * VIEWS_EACH }, (_, at) => {
    const atMs = START_MS + DAY_MS / 3 + random.below((DAY_MS * 10) / 24)
    const ids = recentIds(atMs, atMs)
    const id = ids.at(-1 - Math.floor(random.next() ** 2 * 40)) ?? null
    return { atMs, person: at % PEOPLE, process: random.below(processes), id: random.chance(0.1) ? null : id }
  })
  return views.toSorted((a, b) => a.atMs - b.atMs)
}

/** What a page does that the window cannot answer. */
function createReadView(upstream: Upstream, database: Database, clock: VirtualClock) {
  const source = 'simulation'
  const readThreat = createReadThreat({
    upstream,
    clock,
    log: createLog(() => {}),
    database,
    source,
    store: createThreatStore({ limits: USUAL_HISTORY, database, clock, source }),
    pictureHosts: { upstreamOrigin: 'https://vendor.example', hosts: [] },
  })
  const actors = new ReadCache<unknown>({
    clock,
    generation: upstream.generation,
    maxBytes: 1e6,
    freshForMs: () => ACTORS_FRESH_FOR_MS,
  })

  return async ({ id, person }: View, seen: Seen): Promise<void> => {
    const caller = personOf(`session-${person}`)
    const request = { caller, isRefresh: false, signal: new AbortController().signal }
    const startedMs = performance.now()
    try {
      if (id === null) {
        const load = () => upstream.call('listActors', {}, caller)
        const { staleReason } = await actors.read('actors', load, request)
        seen[staleReason === null ? 'fresh' : 'stale'] += 1
      } else {
        const { answer } = await readThreat(id, null, request)
        const readAtMs = Number(answer.threat.title?.slice('read at '.length))
        if (Date.parse(answer.freshness.fetchedAt) !== readAtMs) seen.mislabelled += 1
        seen[answer.freshness.isStale ? 'stale' : 'fresh'] += 1
      }
    } catch (error) {
      // A refusal has words for the reader; anything else is a fault.
      if (!(error instanceof UpstreamError) || staleReasonOf(error) === null) throw error
      seen.refused += 1
    }
    seen.waitsMs.push(performance.now() - startedMs)
  }
}

function moveTo(clock: VirtualClock, atMs: number): void {
  clock.wait(Math.max(0, atMs - clock.nowMs()))
}
