import { setTimeout as sleep } from 'node:timers/promises'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import type { Log } from '#bff/http/log.ts'
import type { LoggedChange } from '#bff/store/changes/change-log.ts'
import { readOn } from '#bff/store/changes/change-reader.ts'
import type { Database } from '#database/database.ts'
import { claimKeys } from '#matcher/cases/claim-keys.ts'
import { compareClaims } from '#matcher/cases/compare-claims.ts'
import {
  type ClaimPlace,
  compareAllAgain,
  FIRST_PLACE,
  findNearPairs,
  markCompared,
  readClaims,
  readPlaced,
  readUncompared,
  replaceKeys,
  replaceLinks,
} from './claim-queries.ts'
import { settleCases } from './settle-cases.ts'

const READER = 'cases'
/** Few enough that people who request a page meanwhile wait some milliseconds only. */
const CLAIMS_COUNT = 200
const POLL_MS = 500
/** Any number will do, as long as every process takes the same one. */
const CASES_LOCK = 7_276_398

/** Cases change in one transaction after the other: two could begin a case for one victim each. */
export async function lockCases(tx: Database): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [CASES_LOCK])
}

/**
 * Compares claims with all others and gives each its case; those that are not stored any more leave theirs. Under the lock
 * of cases.
 */
async function placeClaims(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const claims = await readClaims(tx, ids)
  const keys = claims.flatMap((claim) =>
    claimKeys(claim).map((key) => ({ key: storable(key), threatId: claim.id, at: claim.sortedAt })),
  )
  // Those that are not stored any more have lost keys and links with their record.
  const heldIds = claims.map(({ id }) => id)
  // Most claims are new: they have none to replace.
  const placedIds = await readPlaced(tx, heldIds)
  await replaceKeys(tx, placedIds, keys)
  const pairs = await findNearPairs(tx, heldIds)
  const byId = new Map(claims.map((claim) => [claim.id, claim]))
  const others = pairs.flatMap((pair) => [pair.one, pair.other].filter((id) => !byId.has(id)))
  for (const claim of await readClaims(tx, [...new Set(others)])) byId.set(claim.id, claim)
  const links = pairs.flatMap(({ one, other }) => {
    const [claim, near] = [byId.get(one), byId.get(other)]
    const join = claim && near ? compareClaims(claim, near) : null
    return join ? [{ one, other, ...join, text: storable(join.text) }] : []
  })
  await replaceLinks(tx, placedIds, links)
  await settleCases(tx, ids, heldIds)
  await markCompared(tx, heldIds)
}

/** A vendor's text may hold what no database does. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

async function placeChanges(tx: Database, changes: readonly LoggedChange[]): Promise<void> {
  const ids = [...new Set(changes.map(({ threatId }) => threatId))]
  if (ids.length === 0) return
  await lockCases(tx)
  await placeClaims(tx, ids)
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

/** Places the next claims that wait, oldest first. Answers the last one of them; null if none waits. */
function placeUncompared(database: Database, after: ClaimPlace): Promise<ClaimPlace | null> {
  return database.transaction(async (tx) => {
    await lockCases(tx)
    const places = await readUncompared(tx, after, CLAIMS_COUNT)
    if (places.length === 0) return null
    await placeClaims(
      tx,
      places.map(({ id }) => id),
    )
    await notifyLive(tx, { kind: 'cases' })
    return places.at(-1) ?? null
  })
}

/** Gives every claim that has none its case. A process that ends in the middle leaves the rest to be compared. */
export async function placeAllClaims(database: Database, signal?: AbortSignal): Promise<void> {
  await placeChangedClaims(database, signal)
  let after: ClaimPlace | null = FIRST_PLACE
  while (!signal?.aborted && after) after = await placeUncompared(database, after)
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
