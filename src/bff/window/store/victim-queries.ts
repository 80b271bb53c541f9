import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'

const victimsSchema = z.object({ term: z.string(), victims: z.int() })

// PostgreSQL refuses to look into JSON with escapes of characters that its text cannot hold: they are cut out first,
// and before them escaped backslashes, which would make escapes of what is none.
const READABLE = String.raw`case
  when strpos(threat, '\u') = 0 then threat
  else regexp_replace(replace(threat, '\\', ''), '\\u(0000|d[89a-f]..)', '', 'gi')
end`

const ORGANISATIONS = `json_array_elements_text((${READABLE})::json -> 'organizations') organization`

/** How many organisations are named since a moment beside one of the window's terms, each counted once. */
export async function countVictimsOf(db: Database, term: string, since: number): Promise<number> {
  const { rows } = await db.query(
    `select $1 as term, count(distinct lower(organization)) as victims
       from window_threat, ${ORGANISATIONS}
      where terms @> array[$1] and sorted_at >= $2`,
    [term, new Date(since)],
  )
  return victimsSchema.parse(rows[0]).victims
}

/** The same of each country. */
export async function countVictimsByCountry(db: Database, since: number): Promise<Map<string, number>> {
  const { rows } = await db.query(
    `select term, count(distinct lower(organization)) as victims
       from (
         select terms, organization
           from window_threat, ${ORGANISATIONS}
          where sorted_at >= $1
       ) named, unnest(terms) term
      where starts_with(term, 'country:')
      group by term`,
    [new Date(since)],
  )
  return new Map(rows.map((row) => victimsSchema.parse(row)).map(({ term, victims }) => [term, victims]))
}
