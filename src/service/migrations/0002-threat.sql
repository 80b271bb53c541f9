-- Threat records, what finds them, and what counts them.

-- PL/pgSQL, since the planner must know that tokens are dear to make: it would inline SQL, and scan where it can look up.
create function search_tokens(search_text text) returns text[]
language plpgsql immutable strict parallel safe cost 500 as $$
begin
  return string_to_array(search_text, ' ');
end
$$;

create table threat (
  id text collate "C" primary key,
  source text not null,
  source_id text not null,
  title text not null,
  summary text not null,
  excerpt text not null,
  content text not null,
  category text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  -- Alpha-2 codes; the source's own text where it names no country we know.
  countries text[] not null,
  threat_actors text[] not null,
  industries text[] not null,
  organizations text[] not null,
  domains text[] not null,
  published_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  source_url text,
  evidence jsonb not null,
  analysis jsonb,
  is_demo boolean not null,
  -- The matcher's tokens of all searchable fields, so that SQL and the matcher find the same records.
  search_text text not null,
  unique (source, source_id)
);
create index threat_newest on threat (published_at desc, id desc);
create index threat_newest_of_category on threat (category, published_at desc, id desc);
create index threat_token on threat using gin (search_tokens(search_text));
create index threat_demo on threat (id) where is_demo;

-- An array column cannot serve an ordered page, so each country of a record has a row here, in lower case.
create table threat_country (
  threat_id text collate "C" not null references threat on delete cascade,
  country text not null,
  category text not null,
  published_at timestamptz(3) not null,
  primary key (threat_id, country)
);
create index threat_country_newest on threat_country (country, published_at desc, threat_id desc);
create index threat_country_newest_of_category
  on threat_country (country, category, published_at desc, threat_id desc);

-- Ids are keyed hashes: without the key, nobody can test a guessed source id against the ids a trial key sees.
create table threat_id_key (key bytea not null);
create unique index threat_id_key_single on threat_id_key ((true));
insert into threat_id_key
select decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

create function threat_id(source text, source_id text) returns text
language sql stable strict as $$
  select 'thr_' || translate(
    encode(substring(sha256(key || convert_to(source || E'\n' || source_id, 'UTF8')) for 15), 'base64'),
    '+/', '-_')
    from threat_id_key
$$;

-- How many records of a UTC day and category carry a value. Country '' counts every record once, whatever its countries.
create table threat_tally (
  country text not null,
  facet text not null check (facet in ('record', 'actor', 'industry', 'organization', 'named')),
  day date not null,
  category text not null,
  value text not null,
  threats integer not null,
  latest_at timestamptz(3) not null,
  primary key (country, facet, day, category, value)
);

-- The facets of one record. 'named' counts records that name an organization without saying which.
create function threat_facets(t threat) returns table (country text, facet text, value text)
language sql immutable as $$
  select '', 'record', ''
  union all
  select '', 'actor', unnest(t.threat_actors)
  union all
  select c.country, f.facet, f.value
    from (select distinct lower(name) from unnest(t.countries) name) c(country)
    cross join (
      select 'record', ''
      union all select 'actor', unnest(t.threat_actors)
      union all select 'industry', unnest(t.industries)
      union all select 'organization', unnest(t.organizations)
      union all select 'named', '' where t.organizations <> '{}'
    ) f(facet, value)
$$;

-- What a key may see: the only relation that reads take records from, so that no filter, order, count or cursor can
-- depend on a record outside the key's window or on a value that the key may not read.
create function visible_threat(window_start timestamptz, is_redacted boolean) returns setof threat
language sql stable as $$
  select
    id,
    case when is_redacted then '' else source end,
    case when is_redacted then '' else source_id end,
    case when is_redacted
      then category || coalesce(' by ' || nullif(array_to_string(threat_actors, ', '), ''), '')
      else title end,
    case when is_redacted then '[redacted]' else summary end,
    case when is_redacted then '[redacted]' else excerpt end,
    case when is_redacted then '[redacted]' else content end,
    category,
    severity,
    countries,
    threat_actors,
    industries,
    case when is_redacted and organizations <> '{}' then array['[redacted]'] else organizations end,
    case when is_redacted and domains <> '{}' then array['[redacted]'] else domains end,
    published_at,
    received_at,
    case when is_redacted then '[redacted]' else source_url end,
    case when is_redacted then '[]' else evidence end,
    case when is_redacted
      then '{"summary":"[redacted]","impact":"[redacted]","recommendations":["[redacted]"]}'
      else analysis end,
    is_demo,
    case when is_redacted then '' else search_text end
  from threat
  where window_start is null or published_at >= window_start
$$;

-- Tallies of what a key may see: whole days from the roll-up, the window's first, cut day from its records.
create function visible_tally(window_start timestamptz, is_redacted boolean) returns setof threat_tally
language sql stable as $$
  select country, facet, day, category, value, threats, latest_at
    from threat_tally
   where (window_start is null or day > (window_start at time zone 'utc')::date)
     and not (is_redacted and facet = 'organization')
  union all
  select f.country, f.facet, (t.published_at at time zone 'utc')::date, t.category, f.value, 1, t.published_at
    from visible_threat(window_start, is_redacted) t
    cross join lateral threat_facets(t) f
   where window_start is not null
     and t.published_at < ((window_start at time zone 'utc')::date + 1)::timestamp at time zone 'utc'
     and not (is_redacted and f.facet = 'organization')
$$;
