-- Names what the store holds: each number only rises, and each change of the records raises one of them.
create table data_version (
  is_single boolean primary key default true check (is_single),
  -- Another store's numbers compare with nothing of this one's.
  store text not null default 's' || replace(gen_random_uuid()::text, '-', ''),
  added integer not null,
  removed integer not null default 0
);
insert into data_version (added) select count(*) from threat;
