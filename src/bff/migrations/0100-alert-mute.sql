-- Victims and actors of which a profile does not notify, for a while or until somebody removes the mute.
create table alert_mute (
  id uuid primary key default gen_random_uuid(),
  -- A profile that runs in Lantern, or one of Lantern's own service.
  profile_id uuid references alert_profile on delete cascade,
  source_profile_id text references source_profile on delete cascade,
  kind text not null check (kind in ('victim', 'actor')),
  -- As it was written. Names are compared as the index compares them.
  name text not null,
  reason text not null,
  -- Null: until somebody removes it.
  until timestamptz(3),
  -- Who muted. Null once that account is erased.
  account_id uuid references account on delete set null,
  created_at timestamptz(3) not null default now(),
  -- Matches that were not sent because of it.
  muted_count integer not null default 0,
  check (num_nonnulls(profile_id, source_profile_id) = 1)
);
create index alert_mute_of on alert_mute (profile_id);
create index alert_mute_of_source on alert_mute (source_profile_id);
create index alert_mute_by on alert_mute (account_id);

-- A muted match is not sent, also after its mute.
alter table alert_match
  drop constraint alert_match_state_check,
  add constraint alert_match_state_check check (state in ('known', 'enqueued', 'waiting', 'muted'));
create index alert_match_muted on alert_match (profile_id, at) where state = 'muted';
