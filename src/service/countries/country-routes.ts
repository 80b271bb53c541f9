import { Hono } from 'hono'
import { countryName } from '#contract/country.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import type { V1CountryAnswer } from '#contract/upstream/v1/country.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { readCountry } from './read-country.ts'

export function countryRoutes({ database }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>().get('/api/v1/countries/:country', async (c) => {
    refuseParameters(c.req.url)
    const text = c.req.param('country')
    const code = readCountryCode(text)
    const access = c.get('access')
    const read = (country: string) => readCountry(database, access, country, access.now.slice(0, 10))
    // Records keep a country that was unknown when they came as its text.
    const statistics = (code && (await read(code))) ?? (await read(text))
    if (!statistics) throw new ServiceError(404, 'No statistics for this country')

    const { threats, actors, victims, topActors, topIndustries, trend } = statistics
    return c.json({
      data: {
        country: (code && countryName(code)) ?? text,
        country_code: code ?? '',
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
