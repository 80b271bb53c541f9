-- Profiles are told to destinations of the ledger, which are sealed: the columns before are emptied by each start, which
-- has the secret. Numbered after the ledger's own tables.
alter table alert_profile
  add column state text not null default 'active' check (state in ('active', 'paused')),
  -- A list of addresses was given, even an empty one.
  add column has_emails boolean not null default false;
update alert_profile set has_emails = emails is not null;

create table alert_destination (
  profile_id text not null references alert_profile on delete cascade,
  position integer not null,
  destination_id uuid not null references delivery_destination,
  primary key (profile_id, position)
);
create index alert_destination_by_destination on alert_destination (destination_id);
