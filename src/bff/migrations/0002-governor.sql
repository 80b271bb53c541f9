-- What one route set reported of a key's budget, and what it refused. A key is known by its fingerprint only.
create table call_budget (
  key_fingerprint bytea not null check (octet_length(key_fingerprint) = 32),
  route_set text not null check (route_set in ('v1', 'earlier')),
  state jsonb not null,
  primary key (key_fingerprint, route_set)
);

-- One refusal ends a key: for every process, and after a restart.
create table refused_key (
  key_fingerprint bytea primary key check (octet_length(key_fingerprint) = 32),
  refused_at timestamptz not null default now()
);

-- Written before the call is made, so that a crash cannot lose one that the vendor has counted.
create table upstream_call (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  key_fingerprint bytea not null,
  route_set text not null,
  route text not null,
  priority text not null check (priority in ('person', 'refresh', 'window', 'prefetch')),
  -- No references: the record outlives the account and the session.
  account_id text,
  session_id text,
  -- Null while it is under way.
  outcome text check (outcome in ('answered', 'refused_by_vendor', 'failed', 'saved')),
  status int,
  duration_ms int
);
create index upstream_call_counted on upstream_call (key_fingerprint, route_set, at)
  where outcome is distinct from 'saved';
create index upstream_call_at on upstream_call (at);
