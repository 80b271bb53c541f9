import { ProblemError } from '#bff/http/problem-error.ts'
import { type ProfileSearch, type ReadSearch, searchOfProfile } from '#bff/store/read-search.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'

export type SearchDependencies = { readSearch: ReadSearch; clock: Clock }

/** Refuses a search that cannot be evaluated, such as one for an alert profile that was deleted. */
export async function requireSearchOf(profile: ProfileSearch, { readSearch, clock }: SearchDependencies) {
  const filter = searchOfProfile(profile)
  await readSearch(filter, feedBounds(filter, clock.nowMs()))
}

/** Returns why a search can no longer be evaluated; undefined if it can. */
export async function readFilterFaults(
  profile: ProfileSearch,
  dependencies: SearchDependencies,
): Promise<string[] | undefined> {
  try {
    await requireSearchOf(profile, dependencies)
    return undefined
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problem.fields) throw error
    return error.problem.fields.map(({ reason }) => reason)
  }
}
