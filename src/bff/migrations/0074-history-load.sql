-- Times of the past that are read: months that Lantern reads by itself with spare calls, and those that people request.
create table history_load (
  id bigint generated always as identity primary key,
  route_set text not null check (route_set in ('v1', 'earlier')),
  from_at timestamptz(3) not null,
  to_at timestamptz(3) not null check (from_at < to_at),
  is_background boolean not null,
  -- Null in the background, and once the account is deleted.
  requested_by uuid references account on delete set null,
  requested_at timestamptz(3) not null,
  state text not null check (state in ('waiting', 'reading', 'done', 'stopped', 'failed')),
  -- Where the next page begins. JSON.
  cursor text,
  pages int not null default 0,
  -- How many records the vendor says that the time holds.
  total int,
  -- Records read so far, and those of them that were not stored before.
  records int not null default 0,
  added int not null default 0,
  -- Why it failed: a reason of coverage, and a sentence for a person. The sentence stands also while it waits.
  why text,
  reason text,
  updated_at timestamptz(3) not null
);
create index history_load_open on history_load (state) where state in ('waiting', 'reading');

-- Ids that a load has met so far.
create table history_listed (
  load bigint not null references history_load on delete cascade,
  id text collate "C" not null,
  primary key (load, id)
);
