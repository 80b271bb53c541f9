import * as z from 'zod/mini'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { idSegment } from '#bff/upstream/client/id-segment.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { isPlainId, vendorIdOf } from '#bff/upstream/reader/read-threat-id.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { findRow } from '#database/read-rows.ts'

/** `isGone` where the list of the vendor no longer names it. */
export type StoredThreat = { threat: Threat; freshness: Freshness; isGone?: boolean }

/** All that is stored. `source` names the vendor's address. */
export type StoredThreats = { database: Database; source: string; store: ThreatStore }

const rowSchema = z.object({ threat: z.string(), listed_at: z.iso.datetime(), is_gone: z.boolean() })

/** Looks for one threat in the store, then among the records that left it; null if no list has reported it. */
export async function findStoredThreat(
  { database, source, store }: StoredThreats,
  id: string,
  set: RouteSet | null,
): Promise<StoredThreat | null> {
  const stored = await store.find(id, set)
  if (stored) return stored
  const row = await findRow(database, rowSchema, [id, source])`
    select threat, ${isoUtc('listed_at')} as listed_at, gone_at is not null as is_gone
      from listed_threat where id = $1 and source = $2`
  const threat = row && threatSchema.parse(JSON.parse(row.threat))
  if (!row || !threat || (set && set !== threat.set)) return null
  const freshness = { fetchedAt: row.listed_at, isStale: false, staleReason: null }
  return { threat, freshness, isGone: row.is_gone }
}

/**
 * Returns the id for the vendor's address. Any id that looks like one can be requested; any other only if a list has
 * named it and a path can carry it.
 */
export async function requireVendorId(stored: StoredThreats, id: string): Promise<string> {
  if (isPlainId(id)) return id
  const found = await findStoredThreat(stored, id, null)
  if (!found) throw new UpstreamError({ set: null, kind: 'unlisted', reason: 'no list has named such an id' })
  const vendorId = vendorIdOf(found.threat)
  if (vendorId !== null && idSegment(vendorId) !== null) return vendorId
  throw new UpstreamError({ set: null, kind: 'unsendable', reason: 'no path can carry the id' })
}
