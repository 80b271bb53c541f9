import { setImmediate } from 'node:timers/promises'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import type { Log } from '#bff/http/log.ts'
import type { RestAfter } from '#bff/http/traffic.ts'
import { type LoggedChange, readChanges, readLastChange } from '#bff/store/changes/change-log.ts'
import { readOn } from '#bff/store/changes/change-reader.ts'
import type { Database } from '#database/database.ts'
import { claimKeys } from '#matcher/cases/claim-keys.ts'
import { compareClaims } from '#matcher/cases/compare-claims.ts'
import { pause, startLoop } from '#server/start-loop.ts'
import { createTurns } from '#server/take-turns.ts'
import {
  type ClaimIds,
  type ClaimKey,
  type ClaimLink,
  type ClaimPlace,
  compareAllAgain,
  FIRST_PLACE,
  findNearPairs,
  holdRecords,
  markCompared,
  readClaims,
  readPlaced,
  readUncompared,
  replaceKeys,
  replaceLinks,
  type StoredClaim,
} from './claim-queries.ts'
import { joinNewClaims } from './join-new-claims.ts'
import { markKnown } from './known-claims.ts'
import { settleCases } from './settle-cases.ts'
import { closeRepeats } from './share-state.ts'

const READER = 'cases'
/** Claims of one transaction. Whoever decides on a case meanwhile waits for its end, with a connection. */
const CLAIMS_COUNT = { min: 20, first: 60, max: 500 } as const
/** Milliseconds for which one transaction should hold the lock of cases. */
const HELD_MS = 60
/** About as many as are published within the days of a case. One transaction may read more. */
const CACHED_MAX_COUNT = 20_000
/** After more changes than that, all claims are read again. */
const CHANGES_MAX_COUNT = 5_000
const POLL_MS = 500
/** Any number will do, as long as every process takes the same one. */
const CASES_LOCK = 7_276_398

/** Cases change in one transaction after the other: two could begin a case for one victim each. */
export async function lockCases(tx: Database): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [CASES_LOCK])
}

/** Keeps claims in their cases until the transaction ends, for whoever acts on all claims of a case. */
export async function holdCases(tx: Database): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared($1)', [CASES_LOCK])
}

type KeyedClaim = { claim: StoredClaim; keys: readonly ClaimKey[] }

/** Reads claims that are still stored, with their keys. */
async function readKeyed(db: Database, ids: readonly string[]): Promise<KeyedClaim[]> {
  const keyed: KeyedClaim[] = []
  for await (const some of inSlices(await readClaims(db, ids))) {
    for (const claim of some) {
      const keys = claimKeys(claim).map(storable)
      keyed.push({ claim, keys: keys.map((key) => ({ key, threatId: claim.id, at: claim.sortedAt })) })
    }
  }
  return keyed
}

/**
 * Compares claims with all others and gives each its case; those that are not stored any more leave theirs. `read`: the
 * claims, if they were read before. `cached`: claims that were read and have not changed since. Under the lock of cases.
 */
async function placeClaims(
  tx: Database,
  ids: readonly string[],
  { read = null, cached = new Map() }: { read?: KeyedClaim[] | null; cached?: Map<string, StoredClaim> } = {},
): Promise<void> {
  if (ids.length === 0) return
  const held = new Set(await holdRecords(tx, ids))
  const keyed = (read ?? (await readKeyed(tx, [...held]))).filter(({ claim }) => held.has(claim.id))
  const claims = keyed.map(({ claim }) => claim)
  const keys = keyed.flatMap((own) => own.keys)
  const heldIds = claims.map(({ id }) => id)
  for (const claim of claims) cached.set(claim.id, claim)
  // Most claims are new: they have no keys and links to replace.
  const placedIds = await readPlaced(tx, heldIds)
  await replaceKeys(tx, placedIds, keys)
  const pairs = await findNearPairs(tx, keys)
  const links = await withHeld(tx, await findLinks(tx, heldIds, pairs, cached), heldIds)
  await replaceLinks(tx, placedIds, links)
  const placed = new Set(placedIds)
  const newIds = claims
    .filter(({ id }) => !placed.has(id))
    .toSorted(compareByPlace)
    .map(({ id }) => id)
  const left = new Set(await joinNewClaims(tx, newIds, links))
  const joined = new Set(newIds.filter((id) => !left.has(id)))
  await settleCases(
    tx,
    ids.filter((id) => !joined.has(id)),
    heldIds,
  )
  await markCompared(
    tx,
    heldIds.filter((id) => !joined.has(id)),
  )
}

/** The links of which both records are stored until the transaction ends. */
async function withHeld(
  tx: Database,
  links: readonly ClaimLink[],
  heldIds: readonly string[],
): Promise<ClaimLink[]> {
  const held = new Set(heldIds)
  const others = new Set(links.flatMap(({ one, other }) => [one, other]).filter((id) => !held.has(id)))
  for (const id of await holdRecords(tx, [...others])) held.add(id)
  return links.filter(({ one, other }) => held.has(one) && held.has(other))
}

/** Claims that were read in earlier transactions, as of a change of the log. */
type ClaimCache = { change: number; claims: Map<string, StoredClaim> }

/** Forgets claims that have changed since. Answers the last change of the log. */
async function refreshCache(tx: Database, cache: ClaimCache): Promise<number> {
  const isEmpty = cache.claims.size === 0
  const { changes, next, last, hasMissed } = isEmpty
    ? { changes: [], next: 0, last: await readLastChange(tx), hasMissed: true }
    : await readChanges(tx, { after: cache.change, limit: CHANGES_MAX_COUNT })
  if (hasMissed || next !== last) cache.claims.clear()
  for (const { threatId } of changes) cache.claims.delete(threatId)
  cache.change = last
  for (const id of cache.claims.keys()) {
    if (cache.claims.size <= CACHED_MAX_COUNT) break
    cache.claims.delete(id)
  }
  return last
}

/** The number of claims, and when their transaction had the lock of cases, of `performance.now()`. */
type Placed = { count: number; lockedMs: number }

async function placeChanges(
  tx: Database,
  changes: readonly LoggedChange[],
  cache: ClaimCache,
): Promise<Placed> {
  const ids = [...new Set(changes.map(({ threatId }) => threatId))]
  if (ids.length === 0) return { count: 0, lockedMs: performance.now() }
  await lockCases(tx)
  const lockedMs = performance.now()
  await refreshCache(tx, cache)
  await placeClaims(tx, ids, { cached: cache.claims })
  await markKnown(tx, changes)
  await closeRepeats(
    tx,
    changes.filter(({ kind, edge }) => kind === 'new' && edge === 'live').map(({ threatId }) => threatId),
  )
  await notifyLive(tx, { kind: 'cases' })
  return { count: ids.length, lockedMs }
}

/** The number of claims of the next transaction, after one of `count` claims held the lock for `heldMs` milliseconds. */
export function nextCount(count: number, heldMs: number): number {
  const fitting = (count * HELD_MS) / Math.max(heldMs, 1)
  // One slow transaction says little, so that each is at most twice and at least a quarter as large as the one before.
  const near = Math.min(Math.max(fitting, count / 4), count * 2)
  return Math.round(Math.min(Math.max(near, CLAIMS_COUNT.min), CLAIMS_COUNT.max))
}

type Progress = { isDone: boolean; hasMissed: boolean; placed: Placed }

function placeNextChanges(database: Database, cache: ClaimCache, count: number): Promise<Progress> {
  return database.transaction(async (tx) => {
    const page = await readOn(tx, READER, count)
    const hasMissed = page.hasMissed && page.after > 0
    if (hasMissed) await compareAllAgain(tx)
    const placed = await placeChanges(tx, page.changes, cache)
    return { isDone: page.next === page.last, hasMissed, placed }
  })
}

/** Places the claims of the changes that follow. Answers true if some were missed: then all claims must be compared again. */
export async function placeChangedClaims(database: Database, signal?: AbortSignal): Promise<boolean> {
  const cache: ClaimCache = { change: 0, claims: new Map() }
  let hasMissed = false
  let count: number = CLAIMS_COUNT.first
  while (!signal?.aborted) {
    const { isDone, placed, ...progress } = await placeNextChanges(database, cache, count)
    hasMissed ||= progress.hasMissed
    if (isDone) break
    if (placed.count > 0) count = nextCount(placed.count, performance.now() - placed.lockedMs)
  }
  return hasMissed
}

/** The next claims that wait, as of a change of the log at least. */
type Batch = { change: number; places: readonly ClaimPlace[]; claims: KeyedClaim[] }

/** Reads the next claims that wait, oldest first, while those before are placed. */
async function readBatch(database: Database, after: ClaimPlace, count: number): Promise<Batch> {
  const change = await readLastChange(database)
  const places = await readUncompared(database, after, count)
  return { change, places, claims: await readKeyed(database, idsOf(places)) }
}

function idsOf(places: readonly ClaimPlace[]): string[] {
  return places.map(({ id }) => id)
}

/** Answers for how many milliseconds the lock of cases was held. */
async function placeBatch(
  database: Database,
  { change, places, claims }: Batch,
  cache: ClaimCache,
): Promise<number> {
  const lockedMs = await database.transaction(async (tx) => {
    await lockCases(tx)
    const startedMs = performance.now()
    const last = await refreshCache(tx, cache)
    await placeClaims(tx, idsOf(places), { read: change === last ? claims : null, cached: cache.claims })
    await notifyLive(tx, { kind: 'cases' })
    return startedMs
  })
  return performance.now() - lockedMs
}

/** Gives every claim that has none its case. A process that ends in the middle leaves the rest to be compared. */
export async function placeAllClaims(
  database: Database,
  { signal, restAfter = () => 0 }: { signal?: AbortSignal; restAfter?: RestAfter | undefined } = {},
): Promise<void> {
  await placeChangedClaims(database, signal)
  const cache: ClaimCache = { change: 0, claims: new Map() }
  let count: number = CLAIMS_COUNT.first
  let batch = await readBatch(database, FIRST_PLACE, count)
  for (;;) {
    const last = batch.places.at(-1)
    if (!last || signal?.aborted) return
    const startedMs = performance.now()
    const [next, heldMs] = await Promise.all([
      readBatch(database, last, count),
      placeBatch(database, batch, cache),
    ])
    count = nextCount(batch.places.length, heldMs)
    batch = next
    const restMs = restAfter(performance.now() - startedMs)
    if (restMs > 0) await pause(restMs, signal)
  }
}

/**
 * Places claims as they are stored and changed, in the one process that leads. A fault is logged once and tried again, and
 * nobody waits for it. Never throws.
 */
export function createClaimPlacing({ database, log }: { database: Database; log: Log }) {
  // Claims that are stored later come with a change: no look at all of them is needed.
  let hasUncompared = false
  const placing = createTurns(1)

  const onFault = (error: unknown) => log.error('claims-not-placed', error)

  /** A fault may leave claims that no later change names. */
  async function orCompareAll<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      hasUncompared = true
      throw error
    })
  }

  async function placeChanges(signal?: AbortSignal): Promise<void> {
    if (await orCompareAll(placing.run(() => placeChangedClaims(database, signal)))) hasUncompared = true
  }

  return {
    /** Places the claims of the changes so far, for a reader that depends on their cases. */
    placeChanges: () => placeChanges().catch(onFault),
    /** Places claims until aborted. The comparison of all claims leaves time to people who are answered. */
    async run(signal: AbortSignal, restAfter?: RestAfter): Promise<void> {
      // An earlier run may have been aborted between two batches.
      hasUncompared = true
      const placeWaiting = async () => {
        await placeChanges(signal)
        if (!hasUncompared) return
        hasUncompared = false
        await orCompareAll(placeAllClaims(database, { signal, restAfter }))
      }
      await startLoop(placeWaiting, { everyMs: POLL_MS, signal, onFault }).ended
    },
  }
}
export type ClaimPlacing = ReturnType<typeof createClaimPlacing>

/** Claims, or pairs of them, that are compared before others are answered. */
const SLICE_COUNT = 100
/**
 * Certain links of a claim to earlier ones, the nearest: they connect a case as well as all of them, of which a victim that
 * is claimed thousands of times would have many for each claim.
 */
const CERTAIN_MAX_COUNT = 10

/**
 * Compares pairs, of which `ids` are the claims that are placed now. Claims that are read for it are added to `cached`.
 */
async function findLinks(
  tx: Database,
  ids: readonly string[],
  pairs: readonly ClaimIds[],
  cached: Map<string, StoredClaim>,
): Promise<ClaimLink[]> {
  const missing = new Set(pairs.flatMap(({ one, other }) => [one, other]).filter((id) => !cached.has(id)))
  for (const claim of await readClaims(tx, [...missing])) cached.set(claim.id, claim)
  const placed = new Set(ids)
  const links: ClaimLink[] = []
  const certain = new Map<string, { earlier: StoredClaim; link: ClaimLink }[]>()
  for await (const some of inSlices(pairs)) {
    for (const { one, other } of some) {
      const [claim, near] = [cached.get(one), cached.get(other)]
      const join = claim && near ? compareClaims(claim, near) : null
      if (!claim || !near || !join) continue
      const link = { one, other, ...join, text: storable(join.text) }
      const [earlier, later] = compareByPlace(claim, near) < 0 ? [claim, near] : [near, claim]
      // A later claim that was placed before may have no nearer one.
      if (join.certainty === 'likely' || !placed.has(later.id)) links.push(link)
      else certain.set(later.id, [...(certain.get(later.id) ?? []), { earlier, link }])
    }
  }
  for (const linked of certain.values()) {
    const nearest = linked.toSorted((one, other) => compareByPlace(other.earlier, one.earlier))
    links.push(...nearest.slice(0, CERTAIN_MAX_COUNT).map(({ link }) => link))
  }
  return links
}

/** Orders claims as the database does, oldest first. */
function compareByPlace(one: StoredClaim, other: StoredClaim): number {
  if (one.sortedAt !== other.sortedAt) return one.sortedAt < other.sortedAt ? -1 : 1
  return one.id < other.id ? -1 : 1
}

/** A vendor's text may hold what no database does. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** Lets others be answered between slices. */
async function* inSlices<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE_COUNT) {
    if (from > 0) await setImmediate()
    yield items.slice(from, from + SLICE_COUNT)
  }
}
