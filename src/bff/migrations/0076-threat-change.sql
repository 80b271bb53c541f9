-- Goes with Lanterns that know 0037.
-- The change log of stored threats. Numbers have no gaps: each follows the one before in the order of the commits.
create table threat_change (
  number bigint primary key,
  threat_id text collate "C" not null,
  kind text not null check (kind in ('new', 'changed', 'removed')),
  -- Names of the record's members that have changed; empty for new and removed records.
  fields text[] not null,
  -- `live`: a request for newer records brought it. `past`: older records were read or compared.
  edge text not null check (edge in ('live', 'past')),
  at timestamptz not null default clock_timestamp()
);

-- The highest number that was given. Its row lock keeps two transactions from giving the same number.
create table threat_change_counter (
  is_single boolean primary key default true check (is_single),
  last bigint not null
);
insert into threat_change_counter (last) values (0);

-- How far each reader of the change log has come.
create table change_reader (
  name text primary key,
  cursor bigint not null
);
