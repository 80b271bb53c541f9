-- Goes with Lanterns that know 0113.
-- Threats that could not be compared with all lists. Each is compared again when it changes, and after a start.
create table list_fault (
  threat_id text primary key,
  failed_at timestamptz(3) not null default now()
);
