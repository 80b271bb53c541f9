-- Times that were read whole and lie outside the sync's own range (`window_reach`). None touches another.
create table history_range (
  from_at timestamptz(3) primary key,
  to_at timestamptz(3) not null check (from_at < to_at),
  route_set text not null check (route_set in ('v1', 'earlier')),
  -- Whether the vendor lists nothing older.
  is_oldest boolean not null default false,
  read_at timestamptz(3) not null
);
