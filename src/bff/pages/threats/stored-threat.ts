import { staleReasonOf } from '#bff/vendor/client/to-problem.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import type { Window } from '#bff/window/window.ts'

const FRESH_FOR_MS = 5_000

/** Reads a threat; while the vendor cannot be reached, gives the record as stored from its list, and says so. */
export function orStoredThreat(readThreat: ReadThreat, window: Pick<Window, 'find'>): ReadThreat {
  return async (id, set, request) => {
    try {
      return await readThreat(id, set, request)
    } catch (error) {
      const staleReason = staleReasonOf(error)
      const stored = staleReason === null ? null : await window.find(id, set)
      if (!stored) throw error
      const unknown = {
        content: null,
        sourceUrl: null,
        analysis: null,
        evidence: [],
        otherFields: [],
        records: [],
      }
      return {
        answer: {
          threat: { ...stored.threat, ...unknown },
          freshness: {
            ...stored.freshness,
            isStale: true,
            staleReason: `Only what the list has is shown. ${staleReason}`,
          },
        },
        freshForMs: FRESH_FOR_MS,
      }
    }
  }
}
