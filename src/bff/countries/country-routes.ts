import * as z from 'zod/mini'
import { type Ask, toAsk } from '#bff/cache/ask.ts'
import { ReadCache } from '#bff/cache/read-cache.ts'
import { freshnessOf, type Reading } from '#bff/cache/reading.ts'
import { ProblemError } from '#bff/problem-error.ts'
import { type CountryNames, readCountryStatistics } from '#bff/reader/read-country-statistics.ts'
import { type BffRoute, defineRoute } from '#bff/route.ts'
import type { Caller } from '#bff/upstream/caller.ts'
import type { Clock } from '#bff/upstream/clock.ts'
import { orProblem } from '#bff/upstream/to-problem.ts'
import type { Upstream } from '#bff/upstream/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import { type CountryAnswer, type CountryStatistics, countryCodeOrNameSchema } from '#contract/bff/country.ts'
import { readCountryCode } from '#contract/read-country-code.ts'

const MAX_BYTES = 8 * 1024 * 1024
const FRESH_FOR_MS = 10 * 60_000

type CountryRouteDependencies = {
  upstream: Pick<Upstream, 'call'>
  clock: Clock
  names?: CountryNames | undefined
}

export function countryRoutes({ upstream, clock, names }: CountryRouteDependencies): BffRoute[] {
  const cache = new ReadCache<CountryStatistics>({
    clock,
    maxBytes: MAX_BYTES,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(country: string, caller: Caller): Promise<CountryStatistics> {
    const body = await upstream.call('readCountry', { country }, caller)
    const statistics = readCountryStatistics(country, body, { nowMs: clock.nowMs(), ...(names && { names }) })
    if (!statistics)
      throw new UpstreamError({ set: 'v1', kind: 'unreadable', reason: 'no statistics of the country' })
    return statistics
  }

  async function read(country: string, ask: Ask): Promise<Reading<CountryStatistics>> {
    try {
      return await cache.read(country, (caller) => load(country, caller), ask)
    } catch (error) {
      throw error instanceof UpstreamError && error.kind === 'not_found' ? noStatistics(error) : error
    }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/countries/:code',
      access: 'viewer',
      params: z.object({ code: countryCodeOrNameSchema }),
      cost: 1,
      cache: 'answer',
      async answer({ params, request, session }) {
        // One country is one question, however it is spelt.
        const country = readCountryCode(params.code) ?? params.code
        const reading = await orProblem(() => read(country, toAsk(request, session)))
        const { freshness, freshForMs } = freshnessOf([reading])
        return { json: { country: reading.value, freshness } satisfies CountryAnswer, freshForMs }
      },
    }),
  ]
}

function noStatistics(cause: UpstreamError): ProblemError {
  const detail = 'The source has no statistics for this country.'
  return new ProblemError({ code: 'not_found', detail, set: 'v1', cause })
}
