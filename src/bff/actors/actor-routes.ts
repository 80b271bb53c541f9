import { toAsk } from '#bff/cache/ask.ts'
import { ReadCache } from '#bff/cache/read-cache.ts'
import { freshnessOf } from '#bff/cache/reading.ts'
import { type ActorNames, readActorList } from '#bff/reader/read-actor-list.ts'
import { type BffRoute, defineRoute } from '#bff/route.ts'
import type { Caller } from '#bff/upstream/caller.ts'
import type { Clock } from '#bff/upstream/clock.ts'
import { orProblem } from '#bff/upstream/to-problem.ts'
import type { Upstream } from '#bff/upstream/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import { type ActorList, actorListQuerySchema } from '#contract/bff/actor.ts'

const MAX_BYTES = 4 * 1024 * 1024
const FRESH_FOR_MS = 10 * 60_000

type ActorRouteDependencies = {
  upstream: Pick<Upstream, 'call'>
  clock: Clock
  names?: ActorNames | undefined
}

export function actorRoutes({ upstream, clock, names }: ActorRouteDependencies): BffRoute[] {
  const cache = new ReadCache<Omit<ActorList, 'freshness'>>({
    clock,
    maxBytes: MAX_BYTES,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(limit: number, caller: Caller): Promise<Omit<ActorList, 'freshness'>> {
    const list = readActorList(await upstream.call('listActors', { query: { limit } }, caller), names)
    if (!list) throw new UpstreamError({ set: 'v1', kind: 'unreadable', reason: 'no list of actors' })
    return list
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/actors',
      access: 'viewer',
      query: actorListQuerySchema,
      cost: 1,
      cache: 'answer',
      async answer({ query: { limit }, request, session }) {
        const ask = toAsk(request, session)
        const reading = await orProblem(() => cache.read(`${limit}`, (caller) => load(limit, caller), ask))
        const { freshness, freshForMs } = freshnessOf([reading])
        return { json: { ...reading.value, freshness } satisfies ActorList, freshForMs }
      },
    }),
  ]
}
