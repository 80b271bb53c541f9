import type { Clock } from '#bff/time/clock.ts'
import type { CachedAnswer } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { describeFailure } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { type ListedActors, readActorList } from '#bff/upstream/reader/read-actor-list.ts'
import { DAY_MS } from '#contract/duration.ts'

const MAX_BYTES = 4 * 1024 * 1024
const FRESH_FOR_MS = DAY_MS
/** A page that has figures of its own waits this long for the list. */
const PATIENCE_MS = 600
const LIMIT = 100
const TRIAL_LIMIT = 50
const KEY = 'actors'

export type Listing = { cached: CachedAnswer<ListedActors> } | { absent: string }

/** The vendor's own list of actors, read once a day. */
export function createReadListedActors({ upstream, clock }: { upstream: Upstream; clock: Clock }) {
  const cache = new ReadCache<ListedActors>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(caller: Caller): Promise<ListedActors> {
    const { trialExpiresAt } = await upstream.state()
    const limit = trialExpiresAt === null ? LIMIT : TRIAL_LIMIT
    const list = readActorList(await upstream.call('listActors', { query: { limit } }, caller))
    if (!list) throw new UpstreamError({ set: 'v1', kind: 'unreadable', reason: 'no list of actors' })
    return list
  }

  const require = (request: ReadRequest) => cache.read(KEY, load, request)

  return {
    /** Waits for the list, for a page that has nothing else to show; fails if there is none. */
    require,
    /** Returns true if either answers without a call. */
    isFresh: () => (cache.peek(KEY)?.freshForMs ?? 0) > 0,
    /** For a page that has figures of its own: spends a call only if many are left, or on a person's refresh. */
    async glance(request: ReadRequest): Promise<Listing> {
      const quiet: ReadRequest = {
        caller: { ...request.caller, priority: 'prefetch' },
        isRefresh: false,
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]),
      }
      try {
        return { cached: await require(request.isRefresh ? request : quiet) }
      } catch (error) {
        if (error instanceof UpstreamError) return { absent: describeFailure(error) }
        throw error
      }
    },
  }
}
