import * as z from 'zod/mini'
import type { Scope } from '#bff/window/threat-scope.ts'
import type { TrendGroup } from '#contract/bff/trend.ts'
import type { Database } from '#database/database.ts'

const countSchema = z.object({ day: z.int(), count: z.int() })
const valueCountSchema = z.object({ day: z.int(), value: z.string(), count: z.int() })

/** How many records of a scope each day holds; `starts` are the first moments of the days, and the end of the last. */
export async function countDays(db: Database, { where, values }: Scope, starts: readonly number[]) {
  const { rows } = await db.query(
    `select width_bucket(sorted_at, $${values.length + 1}::timestamptz[]) - 1 as day, count(*) as count
       from window_threat
      where ${where}
      group by 1`,
    [...values, starts.map((start) => new Date(start))],
  )
  return rows.map((row) => countSchema.parse(row))
}

/** The same for each value of a name. */
export async function countDaysByValue(
  db: Database,
  { where, values }: Scope,
  { starts, by }: { starts: readonly number[]; by: TrendGroup },
) {
  const { rows } = await db.query(
    `select day, value, count
       from (
         select width_bucket(sorted_at, $${values.length + 1}::timestamptz[]) - 1 as day, term, count(*) as count
           from window_threat, unnest(terms) term
          where ${where} and starts_with(term, $${values.length + 2} || ':')
          group by 1, 2
       ) counted
       join window_term using (term)`,
    [...values, starts.map((start) => new Date(start)), by],
  )
  return rows.map((row) => valueCountSchema.parse(row))
}
