-- What was done here to profiles of our own service: lists that were read before do not show it.
create table alert_change (
  source text not null,
  profile_id text not null,
  changed_at timestamptz not null,
  -- The profile as JSON text, its destinations masked; null once it is deleted.
  profile text,
  primary key (source, profile_id)
);
