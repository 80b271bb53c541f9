import { describeMissing } from '#bff/store/details/describe-missing.ts'
import { findStoredThreat, type StoredThreat, type StoredThreats } from '#bff/store/details/find-stored.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { staleReasonOf } from '#bff/upstream/client/to-problem.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { MissingParts, StoredThreatAnswer, ThreatAnswer } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'

const FRESH_FOR_MS = 5_000
const UNREAD = {
  content: null,
  sourceUrl: null,
  analysis: null,
  evidence: [],
  otherFields: [],
  records: [],
} satisfies Partial<ThreatDetail>
const GONE = 'the vendor does not have this record any more'
const STALE_AS_GONE = 'The vendor does not have this record any more.'

/** Reads a threat; where its details cannot be read, gives the record as stored from its list, and says why. */
export function orStoredThreat(readThreat: ReadThreat, threats: StoredThreats): ReadThreat {
  return async (id, set, request) => {
    try {
      return await readThreat(id, set, request)
    } catch (error) {
      const stored = error instanceof UpstreamError ? await findStoredThreat(threats, id, set) : null
      if (!stored || !(error instanceof UpstreamError)) throw error
      const missing = missingOf(error, stored)
      const answer = toAnswer(stored, missing)
      const staleReason = staleReasonOf(error) ?? (missing.state === 'gone' ? STALE_AS_GONE : null)
      if (staleReason === null) return { answer, freshForMs: FRESH_FOR_MS }
      const freshness = {
        ...answer.freshness,
        isStale: true,
        staleReason: `Only what the list has is shown. ${staleReason}`,
      }
      return { answer: { ...answer, freshness }, freshForMs: FRESH_FOR_MS }
    }
  }
}

/** Returns the stored part of a threat while its details are read; null if there is none. */
export async function readStoredThreat(
  threats: StoredThreats,
  id: string,
  set: RouteSet | null,
): Promise<StoredThreatAnswer> {
  const stored = await findStoredThreat(threats, id, set)
  return stored && toAnswer(stored, { state: 'reading', because: 'the vendor is being queried' })
}

function toAnswer({ threat, freshness }: StoredThreat, missing: MissingParts): ThreatAnswer {
  return { threat: { ...threat, ...UNREAD }, freshness, missing }
}

/**
 * A record is deleted if the API that had listed it, or all APIs, report so; or if its list did, and no API can be
 * called.
 */
function missingOf(error: UpstreamError, { threat, isGone: isUnlisted = false }: StoredThreat): MissingParts {
  const isGone =
    isUnlisted || (error.kind === 'not_found' && (error.set === null || error.set === threat.set))
  if (isGone) return { state: 'gone', because: GONE }
  if (error.kind !== 'not_found') return describeMissing(error)
  return {
    state: 'unavailable',
    because: 'the API that has listed it cannot be asked, and the other does not have it',
  }
}
