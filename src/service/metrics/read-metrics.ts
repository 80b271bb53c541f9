import { type Metrics, metricsSchema } from '#contract/upstream/earlier/metrics.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { readRow } from '#database/read-rows.ts'
import { UNDATED_AT } from '#service/threats/threat-record.ts'

/** The store's figures from the roll-up, and the account's own. */
export async function readMetrics(
  db: Database,
  { accountId, now }: { accountId: string; now: string },
): Promise<Metrics> {
  return readRow(db, metricsSchema, [accountId, now, UNDATED_AT])`
    with recursive category as (
      select category as name, sum(threats)::integer as threats, max(latest_at) as latest_at
        from visible_tally(null, false)
       where country = '' and facet = 'record'
       group by category
    ),
    -- Jumps from one country to the next in the index, where count(distinct) would read it all.
    country as (
      select min(country) as name from threat_tally where country > ''
      union all
      select (select min(country) from threat_tally where country > last.name)
        from country last where last.name is not null
    ),
    account_profile as (
      select triggered_count from alert_profile where account_id = $1
    ),
    today as (
      select ($2::timestamptz at time zone 'utc')::date as day
    ),
    usage as (
      select r.day, r.requests
        from request_day r join api_key k on k.id = r.key_id, today
       where k.account_id = $1
         and r.day between date_trunc('month', today.day)::date and today.day
    )
    select
      (select coalesce(sum(threats), 0)::integer from category) as total_threats,
      (select coalesce(sum(triggered_count), 0)::integer from account_profile) as alerts_triggered,
      (select count(*)::integer from account_profile) as alert_profiles_count,
      (select coalesce(json_object_agg(name, threats order by name), '{}') from category) as threat_categories,
      (select count(name)::integer from country) as countries_monitored,
      (select ${isoUtc('nullif(max(latest_at), $3)')}
         from category) as last_threat_at,
      json_build_object(
        'requests_today',
        (select coalesce(sum(requests), 0) from usage where day = (select day from today)),
        'requests_this_month',
        (select coalesce(sum(requests), 0) from usage)
      ) as api_usage`
}
