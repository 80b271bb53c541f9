-- Alert profiles of Lantern's own service, as they were last read: the dashboard sends their messages.
create table source_profile (
  id text primary key,
  -- A name for the service's address and the key.
  source text not null,
  name text not null,
  keywords text[] not null,
  categories text[] not null,
  state text not null check (state in ('active', 'paused')),
  created_at timestamptz(3) not null
);

create table source_recipient (
  profile_id text not null references source_profile on delete cascade,
  destination_id uuid not null references delivery_destination,
  primary key (profile_id, destination_id)
);
create index source_recipient_destination on source_recipient (destination_id);
