import type { Database } from '#database/database.ts'

const THREATS_BY_ID = 'unnest($1::text[]) as chosen join threat t on t.id = chosen'

const THREATS_OF_DAYS = `
  unnest($1::date[]) as chosen
  join threat t on t.published_at >= chosen::timestamp at time zone 'utc'
               and t.published_at < (chosen + 1)::timestamp at time zone 'utc'`

/** Counts records that have just arrived. */
export async function tallyThreats(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.query(tallySql(THREATS_BY_ID), [ids])
}

/** Counts the records of whole UTC days anew, after some were deleted. */
export async function retallyDays(tx: Database, days: readonly string[]): Promise<void> {
  await tx.query('delete from threat_tally where day = any($1::date[])', [days])
  await tx.query(tallySql(THREATS_OF_DAYS), [days])
}

// Sorted, so that two transactions take the locks on shared rows in one order.
function tallySql(threats: string): string {
  return `
    insert into threat_tally (country, facet, day, category, value, threats, latest_at)
    select f.country, f.facet, (t.published_at at time zone 'utc')::date as day, t.category, f.value,
      count(*), max(t.published_at)
      from ${threats} cross join lateral threat_facets(t) f
     group by f.country, f.facet, day, t.category, f.value
     order by f.country, f.facet, day, t.category, f.value
    on conflict (country, facet, day, category, value) do update
       set threats = threat_tally.threats + excluded.threats,
           latest_at = greatest(threat_tally.latest_at, excluded.latest_at)`
}
