import { idSegment } from '#bff/vendor/client/id-segment.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { isPlainId, vendorIdOf } from '#bff/vendor/reader/read-threat-id.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { ListedThreats } from './listed-threats.ts'
import type { AskableId } from './read-threats.ts'

/** `isGone` where the list of the source no longer names it. */
export type StoredThreat = { threat: Threat; freshness: Freshness; isGone?: boolean }

/** One threat as a list reported it; null where none did, or it is not stored. */
export type FindStored = (id: string, set: RouteSet | null) => Promise<StoredThreat | null>

/** Looks in the window, then among what lists have named beyond it. */
export function createFindStored(findInWindow: FindStored, listed: Pick<ListedThreats, 'find'>): FindStored {
  return async (id, set) => {
    const inWindow = await findInWindow(id, set)
    if (inWindow) return inWindow
    const found = await listed.find(id)
    if (!found || (set && set !== found.threat.set)) return null
    const { threat, listedAt, isGone } = found
    return { threat, freshness: { fetchedAt: listedAt, isStale: false, staleReason: null }, isGone }
  }
}

/** Anybody may ask by an id that looks like one; by any other, only where a list has named it and a path can carry it. */
export function createAskableId(findStored: FindStored): AskableId {
  return async (id) => {
    if (isPlainId(id)) return id
    const stored = await findStored(id, null)
    if (!stored)
      throw new UpstreamError({ set: null, kind: 'unlisted', reason: 'no list has named such an id' })
    const vendorId = vendorIdOf(stored.threat)
    if (vendorId !== null && idSegment(vendorId) !== null) return vendorId
    throw new UpstreamError({ set: null, kind: 'unaskable', reason: 'no path can carry the id' })
  }
}
