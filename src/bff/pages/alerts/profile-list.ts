import type { Log } from '#bff/http/log.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { CachedAnswer } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import { type ReportedProfile, readAlertProfiles } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { Database } from '#database/database.ts'
import { listChanged, listCreated } from './creation-queries.ts'

const KEY = 'profiles'
const MAX_BYTES = 8 * 1024 * 1024
const FRESH_FOR_MS = 10 * 60_000
/** A call takes this long at most: what was created meanwhile may be missing from the list that it brought. */
const CALL_MAX_MS = 30_000
const BACKGROUND_MS = 30_000

export type ReportedProfiles = { profiles: ReportedProfile[]; unreadable: number }

/** The profiles as they were last read, free. Where they never were, they are read in the background: null. */
export async function peekProfiles(profiles: ProfileList, log: Log): Promise<ReportedProfile[] | null> {
  const known = await profiles.peek()
  if (!known) readInBackground(profiles).catch((error: unknown) => log.error('profiles-not-read', error))
  return known?.value.profiles ?? null
}

/** Reads the list for nobody who waits. Without plan, budget or answer, what is known stays as it is. */
export async function readInBackground(profiles: ProfileList): Promise<void> {
  const caller = { priority: 'prefetch', who: null, session: null } as const
  const request = { caller, isRefresh: false, signal: AbortSignal.timeout(BACKGROUND_MS) }
  await profiles.read(request).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error
  })
}

type ProfileListDependencies = { upstream: Upstream; database: Database; clock: Clock; source: () => string }

export function createProfileList({ upstream, database, clock, source }: ProfileListDependencies) {
  const { generation } = upstream
  const freshForMs = () => FRESH_FOR_MS
  const cache = new ReadCache<ReportedProfiles>({ clock, generation, maxBytes: MAX_BYTES, freshForMs })
  const known = perGeneration(generation, (): { ids: ReadonlySet<string> | null } => ({ ids: null }))

  async function load(caller: Caller): Promise<ReportedProfiles> {
    const own = known()
    const list = readAlertProfiles(await upstream.call('listAlerts', {}, caller))
    if (!list) throw new UpstreamError({ set: 'earlier', kind: 'unreadable', reason: 'no alert profiles' })
    own.ids = new Set(list.profiles.map(({ id }) => id))
    return list
  }

  async function withCreated(
    name: string,
    cached: CachedAnswer<ReportedProfiles>,
  ): Promise<CachedAnswer<ReportedProfiles>> {
    const since = new Date(cached.fetchedAtMs - CALL_MAX_MS)
    const created = await listCreated(database, name, since)
    const changed = await listChanged(database, name, since)
    const { profiles, unreadable } = cached.value
    const listed = new Set(profiles.map(({ id }) => id))
    const known = [...created.filter(({ id }) => !listed.has(id)), ...profiles]
    const now = known.flatMap((profile) => {
      const change = changed.get(profile.id)
      return change === undefined ? [profile] : (change ?? [])
    })
    return { ...cached, value: { profiles: now, unreadable } }
  }

  return {
    /** The vendor's profiles, with what was created, changed and deleted here since they were read. */
    read: async (request: ReadRequest) => withCreated(source(), await cache.read(KEY, load, request)),
    /** Returns the cached list without a call; null if it was never read. */
    async peek() {
      const cached = cache.peek(KEY)
      return cached && withCreated(source(), cached)
    },
    /** The vendor's profiles as they are now, for one call. */
    readNow: load,
    /** Ids that were in the list when it was last read; null where it never was. */
    knownIds: () => known().ids,
  }
}
export type ProfileList = ReturnType<typeof createProfileList>
