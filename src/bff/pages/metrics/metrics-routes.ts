import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { Clock } from '#bff/time/clock.ts'
import { freshnessOf } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { readMetrics } from '#bff/upstream/reader/read-metrics.ts'
import type { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Metrics, MetricsAnswer } from '#contract/bff/metrics.ts'

const MAX_BYTES = 1024 * 1024
const FRESH_FOR_MS = 5 * 60_000

type MetricsRouteDependencies = {
  upstream: Upstream
  clock: Clock
  categories: () => SeenCategories
}

export function metricsRoutes({ upstream, clock, categories }: MetricsRouteDependencies): BffRoute[] {
  const cache = new ReadCache<Metrics>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(caller: Caller): Promise<Metrics> {
    const seen = categories()
    const metrics = readMetrics(await upstream.call('readMetrics', {}, caller))
    if (!metrics) throw new UpstreamError({ set: 'earlier', kind: 'unreadable', reason: 'no metrics' })
    seen.add(metrics.categories.map(({ name }) => name))
    return metrics
  }

  return [
    defineRoute('GET /bff/metrics', {
      access: 'viewer',
      cache: 'answer',
      async answer({ request, session }) {
        const readRequest = toReadRequest(request, session)
        const cached = await orProblem(() => cache.read('metrics', load, readRequest))
        const { freshness, freshForMs } = freshnessOf([cached])
        return { json: { metrics: cached.value, freshness } satisfies MetricsAnswer, freshForMs }
      },
    }),
  ]
}
