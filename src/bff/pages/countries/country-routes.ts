import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readTallies, type TallySource } from '#bff/store/index/read-tallies.ts'
import { freshnessOf } from '#bff/upstream/cache/cached-answer.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import {
  type CountryAnswer,
  type CountryList,
  countryCodeOrNameSchema,
  countryQuerySchema,
} from '#contract/bff/country.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { toCountries, toCountryPart } from './country-figures.ts'
import { createReadStatistics } from './country-statistics.ts'

type CountryRouteDependencies = TallySource & { upstream: Upstream }

export function countryRoutes(dependencies: CountryRouteDependencies): BffRoute[] {
  const statistics = createReadStatistics(dependencies)
  return [
    defineRoute('GET /bff/countries', {
      access: 'viewer',
      query: countryQuerySchema,
      cache: 'answer',
      async answer({ query }) {
        const tallies = await readTallies(dependencies, 'country', query)
        if (!tallies.stored) throw nothingStored()
        const { freshness, freshForMs } = tallies.stored
        const countries = toCountries(tallies, query)
        const list: CountryList = { countries, days: tallies.days, period: tallies.period, freshness }
        return { json: list, freshForMs }
      },
    }),
    defineRoute('GET /bff/countries/:code', {
      access: 'viewer',
      params: z.object({ code: countryCodeOrNameSchema }),
      query: countryQuerySchema,
      cache: 'answer',
      async answer({ params, query, request, session }) {
        // A country has one cache key, however it is spelt.
        const code = readCountryCode(params.code)
        const country = code ?? params.code
        const readRequest = toReadRequest(request, session)
        const tallies = await readTallies(dependencies, 'country', query)
        const window = code === null ? null : toCountryPart(code, tallies, query)
        const part = window
          ? await statistics.glance(country, readRequest)
          : { cached: await statistics.require(country, readRequest) }
        const cached = 'cached' in part ? part.cached : null
        const statisticsTimed = cached && freshnessOf([cached])
        const timed = tallies.stored ?? statisticsTimed
        if (!timed) throw nothingStored()
        const absent = 'absent' in part ? part.absent : null
        const answer: CountryAnswer = {
          code,
          window,
          days: tallies.days,
          period: tallies.period,
          statistics: cached?.value ?? null,
          statisticsFreshness: statisticsTimed?.freshness ?? null,
          absent,
          freshness: timed.freshness,
        }
        return { json: answer, freshForMs: absent?.isComing ? 0 : timed.freshForMs }
      },
    }),
  ]
}

function nothingStored(): ProblemError {
  return new ProblemError({
    code: 'window_empty',
    detail: 'Countries are counted from the threats of the last 30 days, which are still to be read.',
  })
}
