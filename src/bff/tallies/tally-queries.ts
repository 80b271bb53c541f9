import * as z from 'zod/mini'
import { FACET_NAMES, type FacetName } from '#bff/window/threat-terms.ts'
import type { Database } from '#database/database.ts'

const termDaysSchema = z.object({
  term: z.string(),
  value: z.string(),
  firstAt: z.string(),
  latestAt: z.string(),
  days: z.array(z.int()),
  counts: z.array(z.int()),
})
export type TermDays = z.infer<typeof termDaysSchema>

const pairSchema = z.object({
  term: z.string(),
  name: z.enum(FACET_NAMES),
  value: z.string(),
  count: z.int(),
})
export type Pair = z.infer<typeof pairSchema>

const victimsSchema = z.object({ term: z.string(), victims: z.int() })

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** How many records of each day hold each value of a name; `starts` are the first moments of the days, and the end of the last. */
export async function countTermDays(
  db: Database,
  name: FacetName,
  starts: readonly number[],
): Promise<TermDays[]> {
  const { rows } = await db.query(
    `select term, value, days, counts,
            to_char(first_at at time zone 'utc', ${ISO}) as "firstAt",
            to_char(latest_at at time zone 'utc', ${ISO}) as "latestAt"
       from (
         select term, min(first_at) as first_at, max(latest_at) as latest_at,
                array_agg(day) as days, array_agg(count) as counts
           from (
             select term, width_bucket(sorted_at, $2::timestamptz[]) - 1 as day, count(*)::int as count,
                    min(sorted_at) as first_at, max(sorted_at) as latest_at
               from window_threat, unnest(terms) term
              where starts_with(term, $1 || ':')
              group by 1, 2
           ) daily
          group by term
       ) counted
       join window_term using (term)`,
    [name, starts.map((start) => new Date(start))],
  )
  return rows.map((row) => termDaysSchema.parse(row))
}

/** How many records since a moment hold a value of a name together with each value of others, most frequent first. */
export async function countPairs(
  db: Database,
  name: FacetName,
  { others, since }: { others: readonly FacetName[]; since: number },
): Promise<Pair[]> {
  const { rows } = await db.query(
    `select counted.term, split_part(other, ':', 1) as name, value, count
       from (
         select term, other, count(*) as count
           from window_threat, unnest(terms) term, unnest(terms) other
          where sorted_at >= $3 and starts_with(term, $1 || ':') and split_part(other, ':', 1) = any($2)
          group by 1, 2
       ) counted
       join window_term on window_term.term = other
      order by count desc, other`,
    [name, others, new Date(since)],
  )
  return rows.map((row) => pairSchema.parse(row))
}

// PostgreSQL refuses to look into JSON with escapes of characters that its text cannot hold: they are cut out first,
// and before them escaped backslashes, which would make escapes of what is none.
const READABLE = String.raw`case
  when strpos(threat, '\u') = 0 then threat
  else regexp_replace(replace(threat, '\\', ''), '\\u(0000|d[89a-f]..)', '', 'gi')
end`

/** How many organisations are named since a moment with each value of a name, each counted once. */
export async function countVictims(
  db: Database,
  name: FacetName,
  since: number,
): Promise<Map<string, number>> {
  const { rows } = await db.query(
    `select term, count(distinct lower(organization)) as victims
       from (
         select terms, organization
           from window_threat, json_array_elements_text((${READABLE})::json -> 'organizations') organization
          where sorted_at >= $2
       ) named, unnest(terms) term
      where starts_with(term, $1 || ':')
      group by term`,
    [name, new Date(since)],
  )
  return new Map(rows.map((row) => victimsSchema.parse(row)).map(({ term, victims }) => [term, victims]))
}
