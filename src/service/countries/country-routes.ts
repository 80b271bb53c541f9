import { Hono } from 'hono'
import { countryName, findCountryCode } from '#contract/country.ts'
import type { V1CountryAnswer } from '#contract/upstream/v1/country.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { readCountry } from './read-country.ts'

export function countryRoutes({ database }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>().get('/api/v1/countries/:country', async (c) => {
    refuseParameters(c.req.url)
    const code = findCountryCode(c.req.param('country'))
    const access = c.get('access')
    const statistics = code && (await readCountry(database, access, code, access.now.slice(0, 10)))
    if (!statistics) throw new ServiceError(404, 'No statistics for this country')

    const { threats, actors, victims, topActors, topIndustries, trend } = statistics
    return c.json({
      data: {
        country: countryName(code) ?? code,
        country_code: code,
        threats,
        actors,
        victims,
        top_actors: topActors,
        top_industries: topIndustries,
        trend,
        summary: null,
      },
    } satisfies V1CountryAnswer)
  })
}
