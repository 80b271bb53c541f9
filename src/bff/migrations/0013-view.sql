create table saved_view (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  name text not null,
  -- The feed's filter as JSON text: jsonb refuses characters that a search may hold.
  filter text not null,
  -- The zone that its days are of.
  time_zone text not null,
  is_shared boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- SHA-256 of the secret in its feed's address; null while it has none.
  feed_token_hash bytea unique check (octet_length(feed_token_hash) = 32)
);
create index saved_view_of on saved_view (account_id);

create table default_view (
  account_id uuid primary key references account on delete cascade,
  view_id uuid not null references saved_view on delete cascade
);
