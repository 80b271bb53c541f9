import type { Clock } from '#bff/time/clock.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { IndexRows } from '#bff/window/index/index-rows.ts'
import type { ProfileCriteria } from '#bff/window/index/match-profiles.ts'
import type { Window } from '#bff/window/window.ts'
import type { ProfileTrigger } from '#contract/bff/live.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { ProfileList } from './profile-list.ts'
import { createFindMatches } from './profile-matches.ts'

/** Profiles change seldom, and every read of their list may be a call. */
const READ_AFTER_MS = 6 * HOUR_MS

/** Which profiles match records that have been stored since the last call. */
export type FindTriggers = () => Promise<ProfileTrigger[]>

type Dependencies = {
  profiles: Pick<ProfileList, 'read' | 'peek'>
  window: Pick<Window, 'storedRange' | 'indexRows'>
  clock: Clock
}
type Seen = { storedFromMs: number; matchedIds: ReadonlyMap<string, ReadonlySet<string>> }

/** Compares the window with its state at the last call: records that fill in behind the stored range are no news. */
export function createFindTriggers({ profiles, window, clock }: Dependencies): FindTriggers {
  const findMatches = createFindMatches()
  let seen: Seen | null = null
  let lastReadAt = Number.NEGATIVE_INFINITY

  async function readProfiles() {
    const now = clock.elapsedMs()
    if (now - lastReadAt >= READ_AFTER_MS) {
      lastReadAt = now
      const caller = { priority: 'prefetch', who: null, session: null } as const
      const request = { caller, isRefresh: false, signal: AbortSignal.timeout(30_000) }
      await profiles.read(request).catch((error: unknown) => {
        // No plan, no budget, no answer: then there are no profiles, or those known already.
        if (!(error instanceof UpstreamError)) throw error
      })
    }
    return (await profiles.peek())?.value.profiles ?? []
  }

  return async () => {
    const [reported, stored, rows] = await Promise.all([
      readProfiles(),
      window.storedRange(),
      window.indexRows(),
    ])
    if (!stored || !rows) return []
    const before = seen
    const end = clock.nowMs() + DAY_MS
    const matched = await findMatches(rows, reported, { start: end - 31 * DAY_MS, end })
    const matchedIds = new Map(
      reported.map((profile, at) => [criteriaKey(profile), idsOf(rows, matched[at] ?? [])]),
    )
    seen = { storedFromMs: Date.parse(stored.from), matchedIds }
    if (!before) return []
    return reported.flatMap((profile, at) => {
      const known = before.matchedIds.get(criteriaKey(profile))
      if (!known) return []
      const isNew = (row: number) =>
        (rows.at[row] ?? 0) >= before.storedFromMs && !known.has(rows.ids[row] ?? '')
      const newMatches = (matched[at] ?? []).filter(isNew).length
      return newMatches > 0 ? [{ id: profile.id, name: profile.name, newMatches }] : []
    })
  }
}

/** A profile with other words is another: its first matches are not new, only newly looked for. */
function criteriaKey({ id, keywords, categories }: ProfileCriteria & { id: string }): string {
  return JSON.stringify([id, keywords, categories])
}

function idsOf({ ids }: IndexRows, matchedRows: readonly number[]): ReadonlySet<string> {
  return new Set(matchedRows.map((row) => ids[row] ?? ''))
}
