import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'
import type { Visibility } from '#service/threats/threat-scope.ts'

const TOP_COUNT = 10
const TREND_DAYS = 30

const countedNamesSchema = z.array(z.object({ name: z.string(), count: z.int() }))

const statisticsSchema = z.object({
  threats: z.int(),
  actors: z.int(),
  victims: z.int(),
  topActors: countedNamesSchema,
  topIndustries: countedNamesSchema,
  trend: z.array(z.object({ date: z.iso.date(), threats: z.int() })),
})
export type CountryStatistics = z.infer<typeof statisticsSchema>

// Victims are distinct organizations. Where their names are redacted, each record that names any counts as one: a
// number that says nothing about which names are the same.
const STATISTICS = `
  with tally as materialized (
    select facet, day, value, threats from visible_tally($1, $2) where country = lower($3)
  ),
  total as materialized (
    select facet, value as name, sum(threats)::integer as count from tally group by facet, value
  )
  select
    (select coalesce(sum(count), 0)::integer from total where facet = 'record') as threats,
    (select count(*)::integer from total where facet = 'actor') as actors,
    (select case when $2 then coalesce(sum(count) filter (where facet = 'named'), 0)
                 else count(*) filter (where facet = 'organization') end::integer
       from total) as victims,
    ${topNames('actor')} as "topActors",
    ${topNames('industry')} as "topIndustries",
    (select json_agg(json_build_object('date', to_char(date, 'YYYY-MM-DD'), 'threats', threats) order by date)
       from (
         select date::date, coalesce(sum(threats), 0)::integer as threats
           from generate_series($4::date - ${TREND_DAYS - 1}, $4::date, '1 day') as date
           left join tally on day = date::date and facet = 'record'
          group by date
       ) trend) as trend`

function topNames(facet: 'actor' | 'industry'): string {
  return `
    (select coalesce(json_agg(json_build_object('name', name, 'count', count)), '[]')
       from (select name, count from total where facet = '${facet}'
              order by count desc, name limit ${TOP_COUNT}) top)`
}

/** Reads a country as a key may see it, up to the UTC day given; null if no visible record names it. */
export async function readCountry(
  db: Database,
  { since, isRedacted }: Visibility,
  country: string,
  today: string,
): Promise<CountryStatistics | null> {
  const statistics = await readRow(db, statisticsSchema, [since, isRedacted, country, today])`${STATISTICS}`
  return statistics.threats === 0 ? null : statistics
}
