import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { CachedAnswer } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { readCountryStatistics } from '#bff/upstream/reader/read-country-statistics.ts'
import type { CountryAnswer, CountryStatistics } from '#contract/bff/country.ts'
import { HOUR_MS } from '#contract/duration.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** They cover 30 days: a call for each view would bring nothing new. */
const FRESH_FOR_MS = 6 * HOUR_MS
/** A page that has figures of its own waits this long for them. */
const PATIENCE_MS = 600

export type StatisticsPart =
  | { cached: CachedAnswer<CountryStatistics> }
  | { absent: NonNullable<CountryAnswer['absent']> }

/** The source's own statistics of a country. */
export type ReadStatistics = {
  /** Waits for the statistics, for a page that has nothing else to show; fails if there are none. */
  require(country: string, request: ReadRequest): Promise<CachedAnswer<CountryStatistics>>
  /** For a page that has figures of its own: waits briefly, and reports why there are none. */
  glance(country: string, request: ReadRequest): Promise<StatisticsPart>
}

type Dependencies = {
  upstream: Upstream
  clock: Clock
}

export function createReadStatistics({ upstream, clock }: Dependencies): ReadStatistics {
  const cache = new ReadCache<CountryStatistics>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(country: string, caller: Caller): Promise<CountryStatistics> {
    const body = await upstream.call('readCountry', { country }, caller)
    const statistics = readCountryStatistics(country, body, clock.nowMs())
    if (!statistics)
      throw new UpstreamError({ set: 'v1', kind: 'unreadable', reason: 'no statistics of the country' })
    return statistics
  }

  async function read(country: string, request: ReadRequest): Promise<CachedAnswer<CountryStatistics>> {
    try {
      return await cache.read(country, (caller) => load(country, caller), request)
    } catch (error) {
      throw error instanceof UpstreamError && error.kind === 'not_found' ? noStatistics(error) : error
    }
  }

  const require = (country: string, request: ReadRequest) => orProblem(() => read(country, request))

  return {
    require,
    async glance(country, request) {
      const patience = AbortSignal.timeout(PATIENCE_MS)
      const signal = request.isRefresh ? request.signal : AbortSignal.any([request.signal, patience])
      try {
        return { cached: await require(country, { ...request, signal }) }
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        const { code, detail } = error.problem
        const isComing = code === 'upstream_timeout' && patience.aborted && !request.isRefresh
        return { absent: { code, reason: detail, isComing } }
      }
    },
  }
}

function noStatistics(cause: UpstreamError): ProblemError {
  const detail = 'The source has no statistics for this country.'
  return new ProblemError({ code: 'not_found', detail, set: 'v1', cause })
}
