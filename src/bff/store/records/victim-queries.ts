import * as z from 'zod/mini'
import type { FacetName } from '#bff/store/index/threat-terms.ts'
import type { Database } from '#database/database.ts'

const victimsSchema = z.object({ term: z.string(), victims: z.int() })

/** How many organisations are named in a time beside each term of a name, each counted once. */
export async function countVictims(
  db: Database,
  name: FacetName,
  { start, end }: { start: number; end: number },
): Promise<Map<string, number>> {
  const { rows } = await db.query(
    `select term, count(distinct victim) as victims
       from window_threat, unnest(terms) term, unnest(victims) victim
      where sorted_at >= $2 and sorted_at < $3 and not is_undated and starts_with(term, $1)
      group by term`,
    [`${name}:`, new Date(start), new Date(end)],
  )
  return new Map(rows.map((row) => victimsSchema.parse(row)).map(({ term, victims }) => [term, victims]))
}
