-- The newest threats of one source, kept in step by one elected reader.

-- PL/pgSQL, since the planner must know that tokens are dear to make: it would inline SQL, and scan where it can look up.
create function window_tokens(searched_text text) returns text[]
language plpgsql immutable strict parallel safe cost 500 as $$
begin
  return string_to_array(searched_text, ' ');
end
$$;

create table window_threat (
  id text collate "C" primary key,
  -- When it was published; for a record that does not say, the time of its neighbour in the vendor's list.
  sorted_at timestamptz(3) not null,
  -- Lantern's record as JSON text: jsonb refuses characters that third-party text may hold.
  threat text not null,
  -- What filters and facets look up: `country:DE`, `actor:lock bit`.
  terms text[] not null,
  -- The matcher's tokens of all that is searched, so that SQL and the matcher find the same records.
  searched_text text not null
);
create index window_threat_newest on window_threat (sorted_at desc, id desc);
create index window_threat_found on window_threat using gin (terms, window_tokens(searched_text));

-- A term as the first record that has it spells it.
create table window_term (
  term text collate "C" primary key,
  value text not null
);

-- How far the reader has come. At most one row: a window is of one source and one route set.
create table window_reach (
  is_single boolean primary key default true check (is_single),
  -- Names the vendor's address and the keys, without giving them away.
  source text not null,
  route_set text not null check (route_set in ('v1', 'earlier')),
  -- Stored without a gap.
  held_from timestamptz(3) not null,
  held_to timestamptz(3) not null,
  -- The lower bound of the requests to the vendor; null where the plan allows none so far back.
  since timestamptz(3),
  is_complete boolean not null,
  is_redacted boolean not null,
  -- Where the crawl to older records, and the one back to what is stored, go on; null where none is under way.
  older_place text,
  newer_place text,
  newer_started_at timestamptz(3),
  newer_until timestamptz(3),
  reconciled_at timestamptz(3) not null,
  last_read_at timestamptz(3) not null,
  next_read_at timestamptz(3) not null,
  -- A sentence for a person; null while all is well.
  trouble text
);
