import { acceptsTriage } from '#contract/bff/accepts-triage.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'

/**
 * Returns true if the team has done something since the answer that removes a threat from the list. An unknown state
 * removes nothing.
 */
export function isUnmatched(filter: TriageFilter | undefined, state: TriageState | undefined): boolean {
  if (!filter || !state) return false
  const { read, starred, dismissed } = state
  return !acceptsTriage(filter, {
    isRead: read !== null,
    isStarred: starred !== null,
    isDismissed: dismissed !== null,
  })
}
