-- What is known of the vendor's list beside its records: its order, whether it ends, what of it could not be read. JSON.
alter table window_reach add column list text;

-- Ids that a crawl of several pages has met so far: what a whole reading did not bring is gone from the source.
create table window_listed (
  crawl text not null check (crawl in ('newer', 'older')),
  id text collate "C" not null,
  primary key (crawl, id)
);

-- Records of the list that are no threats. One that is the same as another is told from it by its number.
create table window_unreadable (
  mark text not null,
  number int not null,
  reason text not null,
  -- Where it stood when it was met last, for a person.
  place text not null,
  -- The time of its neighbour in the list, as in `window_threat`.
  sorted_at timestamptz(3) not null,
  met_at timestamptz(3) not null,
  primary key (mark, number)
);

-- When a whole reading of the list no longer brought it; null while it may still be there.
alter table listed_threat add column gone_at timestamptz(3);
