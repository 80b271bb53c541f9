import { setTimeout as sleep } from 'node:timers/promises'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import type { Log } from '#bff/http/log.ts'
import { type LoggedChange, readLastChange } from '#bff/store/changes/change-log.ts'
import { readOn } from '#bff/store/changes/change-reader.ts'
import type { Database } from '#database/database.ts'
import { claimKeys } from '#matcher/cases/claim-keys.ts'
import {
  type ClaimKey,
  type ClaimLink,
  type ClaimPlace,
  compareAllAgain,
  FIRST_PLACE,
  findNearPairs,
  holdClaims,
  holdRecords,
  markCompared,
  readPlaced,
  readUncompared,
  replaceKeys,
  replaceLinks,
  type StoredClaim,
} from './claim-queries.ts'
import { compareByPlace, findLinks, inSlices, storable } from './find-links.ts'
import { joinNewClaims } from './join-new-claims.ts'
import { markKnown } from './known-claims.ts'
import { settleCases } from './settle-cases.ts'
import { closeRepeats } from './share-state.ts'

const READER = 'cases'
/** Claims of one transaction. Whoever decides on a case meanwhile waits for its end. */
const CLAIMS_COUNT = 500
/** About as many as are published within the days of a case. One transaction may read more. */
const CACHED_MAX_COUNT = 20_000
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

/**
 * Compares claims with all others and gives each its case; those that are not stored any more leave theirs. `cached`: claims
 * that were read and have not changed since. Under the lock of cases.
 */
async function placeClaims(
  tx: Database,
  ids: readonly string[],
  cached: Map<string, StoredClaim> = new Map(),
): Promise<void> {
  if (ids.length === 0) return
  const claims = await holdClaims(tx, ids)
  const heldIds = claims.map(({ id }) => id)
  for (const claim of claims) cached.set(claim.id, claim)
  const keys: ClaimKey[] = []
  for await (const some of inSlices(claims))
    for (const claim of some)
      for (const key of claimKeys(claim))
        keys.push({ key: storable(key), threatId: claim.id, at: claim.sortedAt })
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

async function placeChanges(tx: Database, changes: readonly LoggedChange[]): Promise<void> {
  const ids = [...new Set(changes.map(({ threatId }) => threatId))]
  if (ids.length === 0) return
  await lockCases(tx)
  await placeClaims(tx, ids)
  await markKnown(tx, changes)
  await closeRepeats(
    tx,
    changes.filter(({ kind, edge }) => kind === 'new' && edge === 'live').map(({ threatId }) => threatId),
  )
  await notifyLive(tx, { kind: 'cases' })
}

type Progress = { isDone: boolean; hasMissed: boolean }

function placeNextChanges(database: Database): Promise<Progress> {
  return database.transaction(async (tx) => {
    const page = await readOn(tx, READER, CLAIMS_COUNT)
    const hasMissed = page.hasMissed && page.after > 0
    if (hasMissed) await compareAllAgain(tx)
    await placeChanges(tx, page.changes)
    return { isDone: page.next === page.last, hasMissed }
  })
}

/** Places the claims of the changes that follow. Answers true if some were missed: then all claims must be compared again. */
export async function placeChangedClaims(database: Database, signal?: AbortSignal): Promise<boolean> {
  let hasMissed = false
  while (!signal?.aborted) {
    const progress = await placeNextChanges(database)
    hasMissed ||= progress.hasMissed
    if (progress.isDone) break
  }
  return hasMissed
}

/** Claims that were read in earlier transactions, as of a change of the log. */
type ClaimCache = { change: number; claims: Map<string, StoredClaim> }

/** A change that was logged since may be of any claim, and may be placed before the next transaction. */
async function refreshCache(tx: Database, cache: ClaimCache): Promise<void> {
  const last = await readLastChange(tx)
  if (last !== cache.change) cache.claims.clear()
  cache.change = last
  for (const id of cache.claims.keys()) {
    if (cache.claims.size <= CACHED_MAX_COUNT) break
    cache.claims.delete(id)
  }
}

/** Places the next claims that wait, oldest first. Answers the last one of them; null if none waits. */
function placeUncompared(
  database: Database,
  after: ClaimPlace,
  cache: ClaimCache,
): Promise<ClaimPlace | null> {
  return database.transaction(async (tx) => {
    await lockCases(tx)
    await refreshCache(tx, cache)
    const places = await readUncompared(tx, after, CLAIMS_COUNT)
    if (places.length === 0) return null
    await placeClaims(
      tx,
      places.map(({ id }) => id),
      cache.claims,
    )
    await notifyLive(tx, { kind: 'cases' })
    return places.at(-1) ?? null
  })
}

/** Gives every claim that has none its case. A process that ends in the middle leaves the rest to be compared. */
export async function placeAllClaims(database: Database, signal?: AbortSignal): Promise<void> {
  await placeChangedClaims(database, signal)
  const cache: ClaimCache = { change: 0, claims: new Map() }
  let after: ClaimPlace | null = FIRST_PLACE
  while (!signal?.aborted && after) after = await placeUncompared(database, after, cache)
}

/**
 * Places claims as they are stored and changed, in the one process that leads. A fault is logged once and tried again, and
 * nobody waits for it. Never throws.
 */
export function createClaimPlacing({ database, log }: { database: Database; log: Log }) {
  // Claims that are stored later come with a change: no look at all of them is needed.
  let hasUncompared = true
  let isFailing = false

  async function attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error('claims-not-placed', error)
      isFailing = true
      hasUncompared = true
    }
  }

  async function placeChanges(signal?: AbortSignal): Promise<void> {
    if (await placeChangedClaims(database, signal)) hasUncompared = true
  }

  async function placeWaiting(signal: AbortSignal): Promise<void> {
    await placeChanges(signal)
    if (!hasUncompared) return
    hasUncompared = false
    await placeAllClaims(database, signal)
  }

  return {
    /** Places the claims of the changes so far, for a reader that depends on their cases. */
    placeChanges: () => attempt(placeChanges),
    /** Places claims until aborted. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await attempt(() => placeWaiting(signal))
        await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {})
      }
    },
  }
}
export type ClaimPlacing = ReturnType<typeof createClaimPlacing>
