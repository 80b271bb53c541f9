-- Goes with Lanterns that know 0037.
-- When `lantern backup` last finished a file, for metrics. At most one row, none before the first backup.
create table last_backup (
  is_single boolean primary key default true check (is_single),
  finished_at timestamptz not null
);
