import { ProblemError } from '#bff/http/problem-error.ts'
import { isDueNeeded } from '#bff/store/read-filter.ts'
import {
  type ProfileSearch,
  readSearch,
  type SearchContext,
  searchOfProfile,
} from '#bff/store/read-search.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { findOverdue } from '#matcher/query/find-overdue.ts'

/**
 * Refuses a search that cannot be evaluated, such as one for an alert profile that was deleted, and one for overdue cases.
 */
export async function requireSearchOf(context: SearchContext, profile: ProfileSearch) {
  const filter = searchOfProfile(profile)
  const search = await readSearch(context, filter, feedBounds(filter, context.clock.nowMs()))
  if (isDueNeeded(filter, search)) throw overdueInAlerts(profile.filter)
}

/** Alerts cannot search for overdue cases: a profile is evaluated only when a record is new or changes. */
export function overdueInAlerts({ q = '' }: ThreatFilter): ProblemError {
  const reason =
    'An alert profile cannot find overdue cases: they become overdue as time passes, without a new record. Remove “overdue”, or save the search as a view.'
  const places = findOverdue(q)
  // The text may not contain the word: a filter or a named profile can request overdue cases.
  const found = places.length > 0 ? places : [{}]
  const fields = found.map((place) => ({ name: 'q', reason, ...place }))
  return new ProblemError({ code: 'bad_request', detail: reason, fields })
}

/** Returns why a search can no longer be evaluated; undefined if it can. */
export async function readFilterFaults(
  context: SearchContext,
  profile: ProfileSearch,
): Promise<string[] | undefined> {
  try {
    await requireSearchOf(context, profile)
    return undefined
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problem.fields) throw error
    return error.problem.fields.map(({ reason }) => reason)
  }
}
