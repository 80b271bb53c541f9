import { placedAt } from '#bff/store/index/index-rows.ts'
import type { ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import { UNBOUNDED } from '#bff/store/index/select-rows.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { ProfileTrigger } from '#contract/bff/live.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { type ProfileList, readInBackground } from './profile-list.ts'
import type { FindMatches, MatchedRecords } from './profile-matches.ts'

/** Profiles change seldom, and every read of their list may be a call. */
const READ_AFTER_MS = 6 * HOUR_MS

/** Which profiles match records that have been stored since the last call. */
export type FindTriggers = () => Promise<ProfileTrigger[]>

type Dependencies = {
  profiles: Pick<ProfileList, 'read' | 'peek'>
  findMatches: FindMatches
  clock: Clock
  /** A number; when it changes, the list that was read is forgotten. */
  generation: () => number
}
type Seen = { storedFromMs: number; matchedIds: ReadonlyMap<string, ReadonlySet<string>> }

/** Compares the window with its state at the last call: records that fill in behind the stored range are no news. */
export function createFindTriggers({ profiles, findMatches, clock, generation }: Dependencies): FindTriggers {
  let seen: Seen | null = null
  let lastReadAt = Number.NEGATIVE_INFINITY
  let readIn: number | null = null

  async function readProfiles() {
    const now = clock.elapsedMs()
    if (now - lastReadAt >= READ_AFTER_MS || readIn !== generation()) {
      lastReadAt = now
      readIn = generation()
      await readInBackground(profiles)
    }
    return (await profiles.peek())?.value.profiles ?? []
  }

  return async () => {
    const reported = await readProfiles()
    // Whatever its date, or without one: a match is new when it was not there before.
    const matched = await findMatches(reported, UNBOUNDED)
    const [first] = matched ?? []
    if (!matched || !first) return []
    const before = seen
    const matchedIds = new Map(reported.map((profile, at) => [criteriaKey(profile), idsOf(matched[at])]))
    seen = {
      storedFromMs: first.stored.time.ranges.at(-1)?.from ?? Number.POSITIVE_INFINITY,
      matchedIds,
    }
    if (!before) return []
    return reported.flatMap((profile, at) => {
      const known = before.matchedIds.get(criteriaKey(profile))
      const own = matched[at]
      if (!known || !own) return []
      const { records, rows } = own
      const isNew = (row: number) =>
        placedAt(records.at[row] ?? 0) >= before.storedFromMs && !known.has(records.ids[row] ?? '')
      const newMatches = rows.filter(isNew).length
      return newMatches > 0 ? [{ id: profile.id, name: profile.name, newMatches }] : []
    })
  }
}

/** A profile with other words is another: its first matches are not new, only newly looked for. */
function criteriaKey({ id, keywords, categories }: ProfileCriteria & { id: string }): string {
  return JSON.stringify([id, keywords, categories])
}

function idsOf(matched: MatchedRecords | undefined): ReadonlySet<string> {
  return new Set(matched?.rows.map((row) => matched.records.ids[row] ?? ''))
}
