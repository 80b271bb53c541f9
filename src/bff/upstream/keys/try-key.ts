import { ApiKey } from '#bff/upstream/client/api-key.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { toProblem } from '#bff/upstream/client/to-problem.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { hastenRetry } from '#bff/upstream/quota/refused-key-queries.ts'
import type { RouteSet } from '#contract/route-set.ts'

const CHEAPEST = { v1: 'listThreats', earlier: 'listFeed' } as const

export type TryOptions = Omit<UpstreamOptions, 'keys' | 'generation'>

/**
 * Reads one record from the source with a key. Null when one of the sets answers it, or else why not: a sentence for
 * an admin. Throws a problem when nothing can be found out.
 */
export async function tryKey(
  token: string,
  sets: readonly RouteSet[],
  caller: Caller,
  options: TryOptions,
): Promise<string | null> {
  const { url, database, clock } = options
  await hastenRetry(database, new ApiKey(token).fingerprintAt(new URL(url).origin), clock.nowMs())
  const upstream = createUpstream({ ...options, keys: () => ({ apiKey: token }) })
  try {
    let refusal: string | null = null
    for (const set of sets) {
      refusal = await trySet(upstream, set, caller)
      // Another set is worth a call only where this one alone may be lacking.
      if (refusal !== PLAN_LACKS && refusal !== SOURCE_LACKS) return refusal
    }
    return refusal
  } finally {
    await upstream.close()
  }
}

const PLAN_LACKS =
  'The source knows this key, but its plan does not include what it would be used for. Nothing was changed.'

const SOURCE_LACKS =
  'The address of the source has no such API, so the key could not be tried. Nothing was changed.'

async function trySet(upstream: Upstream, set: RouteSet, caller: Caller): Promise<string | null> {
  try {
    await upstream.call(CHEAPEST[set], { query: { limit: 1 } }, caller)
    return null
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    switch (error.kind) {
      case 'key_invalid':
        return 'The source refuses this key: it is wrong, expired or revoked. Nothing was changed.'
      case 'set_absent':
        return SOURCE_LACKS
      case 'set_forbidden':
      case 'forbidden':
        return PLAN_LACKS
      default:
        throw toProblem(error)
    }
  }
}
