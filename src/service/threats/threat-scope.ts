import type { Keyword } from '#matcher/keyword.ts'
import { UNDATED_AT } from './threat-record.ts'

/** The rights of a key: the parameters of `visible_threat`. */
export type Visibility = { since: string | null; isRedacted: boolean }

/** The conditions of a query. */
export type ThreatScope = {
  category?: string | undefined
  /** A code, or the text of a country that we do not know; in any letter case. */
  country?: string | undefined
  /** The first moment, ISO 8601. */
  from?: string | undefined
  /** The last UTC day. */
  lastDay?: string | undefined
  /** A record holds all of them. */
  keywords?: readonly Keyword[] | undefined
}

/** The values of `$1` to `$8` in the fragments below. */
export function scopeValues({ since, isRedacted }: Visibility, scope: ThreatScope): unknown[] {
  const { category, country, from, lastDay, keywords } = scope
  return [
    since,
    isRedacted,
    category,
    country,
    from,
    lastDay,
    keywords?.flatMap(({ tokens }) => tokens),
    // Tokens hold letters, digits and marks only: nothing that LIKE would take for a wildcard.
    keywords?.map(({ normalised }) => `%${normalised}%`),
  ]
}

const FROM = 'greatest($1::timestamptz, $5::timestamptz)'

/** `undated` has the records without a date, where a first moment leaves them out of `from`: nobody knows that they are older. */
type ThreatSource = { from: string; where: string; undated: string; id: string; publishedAt: string }

const UNDATED = `'${UNDATED_AT}'::timestamptz`

/** The rows of a scope. With a country they are read in order from that country's own index. */
export function threatSource({ country }: ThreatScope): ThreatSource {
  return country === undefined ? EVERY_COUNTRY : ONE_COUNTRY
}

const EVERY_COUNTRY: ThreatSource = {
  from: 'visible_threat($1, $2) t',
  where: `$4::text is null and ${inScope('t')}`,
  undated: `visible_threat(null, $2) t where $4::text is null and ${isUndated('t')}`,
  id: 't.id',
  publishedAt: 't.published_at',
}

const ONE_COUNTRY: ThreatSource = {
  from: 'threat_country c join visible_threat($1, $2) t on t.id = c.threat_id',
  where: `c.country = lower($4::text) and ${inScope('c')}`,
  undated: `threat_country c join visible_threat(null, $2) t on t.id = c.threat_id
    where c.country = lower($4::text) and ${isUndated('c')}`,
  id: 'c.threat_id',
  publishedAt: 'c.published_at',
}

function inScope(table: 't' | 'c'): string {
  return `
    ${isWanted(table)}
    and (${FROM} is null or ${table}.published_at >= ${FROM})
    and ($6::date is null or ${table}.published_at < ($6::date + 1)::timestamp at time zone 'utc'
      and ${table}.published_at > ${UNDATED})`
}

function isUndated(table: 't' | 'c'): string {
  return `${isWanted(table)} and ${FROM} is not null and $6::date is null and ${table}.published_at = ${UNDATED}`
}

function isWanted(table: 't' | 'c'): string {
  return `
    ($3::text is null or ${table}.category = $3)
    and ($7::text[] is null or search_tokens(t.search_text) @> $7::text[])
    and ($8::text[] is null or t.search_text like all ($8::text[]))`
}

/** The counts of a scope by day. Only for scopes without keywords, which no roll-up knows. */
export const SCOPE_DAYS = `
  select day, sum(threats)::integer as threats
    from (
      select country, facet, day, category, threats from visible_tally(${FROM}, $2)
      union all
      select country, facet, day, category, threats from visible_tally(null, $2)
       where ${FROM} is not null and $6::date is null and day = (${UNDATED} at time zone 'utc')::date
    ) tally
   where country = coalesce(lower($4::text), '')
     and facet = 'record'
     and ($3::text is null or category = $3)
     and ($6::date is null or day <= $6::date and day > (${UNDATED} at time zone 'utc')::date)
     and $7::text[] is null and $8::text[] is null
   group by day`
