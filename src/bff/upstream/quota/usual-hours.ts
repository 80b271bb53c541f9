import * as z from 'zod/mini'
import { DAY_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import type { UsualHours } from './rest-of-day.ts'

const usualSchema = z.object({ hour: z.int(), calls: z.number() })

/** Reads how people usually call a set, once on each UTC day: it follows from the days before. */
export function createUsualHours(set: RouteSet): (db: Database, nowMs: number) => Promise<UsualHours> {
  let known: { day: number; hours: UsualHours } | null = null
  return async (db, nowMs) => {
    const day = Math.floor(nowMs / DAY_MS)
    if (known?.day !== day) known = { day, hours: await readUsualHours(db, set, nowMs) }
    return known.hours
  }
}

/**
 * Reads people's usual calls to a set in each hour of the UTC day: an average of up to 7 days before this one on which
 * there were calls. Hours without calls are absent; hours with refusals alone are not.
 */
export async function readUsualHours(db: Database, set: RouteSet, nowMs: number): Promise<UsualHours> {
  const rows = await readRows(db, usualSchema, [set, nowMs])`
    with called as (
      select date_trunc('day', at, 'utc') as day, extract(hour from at at time zone 'utc')::int as hour, outcome
        from upstream_call, date_trunc('day', to_timestamp($2::float8 / 1000), 'utc') as today
       where route_set = $1 and priority = 'person' and at >= today - interval '7 days' and at < today)
    select hour, (count(*) filter (where outcome is distinct from 'saved'))::float8
                   / (select count(distinct day) from called) as calls
      from called
     group by hour`
  return new Map(rows.map(({ hour, calls }) => [hour, calls]))
}
