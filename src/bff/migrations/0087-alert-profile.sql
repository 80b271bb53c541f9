-- What Lantern looks for among new threats, and whom it notifies.
create table alert_profile (
  id uuid primary key default gen_random_uuid(),
  -- The owner. Null: the admins have it.
  account_id uuid references account on delete set null,
  name text not null,
  -- The feed's filter as JSON text: jsonb refuses characters that a search may hold.
  filter text not null,
  -- The zone that its days are of.
  time_zone text not null,
  -- The whole team sees it.
  is_shared boolean not null,
  state text not null default 'active' check (state in ('active', 'paused')),
  -- When it becomes active by itself. Null: a person resumes it.
  paused_until timestamptz check (paused_until is null or state = 'paused'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index alert_profile_of on alert_profile (account_id);

create table alert_recipient (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references alert_profile on delete cascade,
  position integer not null,
  channel text not null check (channel in ('user', 'email', 'slack', 'teams', 'webhook')),
  user_id uuid references account on delete cascade,
  -- An address or a URL is nowhere in the clear: a keyed hash finds it, and people recognise it by its masked text.
  fingerprint bytea check (octet_length(fingerprint) = 32),
  sealed bytea,
  masked text,
  -- What a webhook's messages are signed with.
  sealed_secret bytea,
  check ((channel = 'user') = (user_id is not null)),
  check ((channel = 'user') = (sealed is null)),
  check ((sealed is null) = (fingerprint is null) and (sealed is null) = (masked is null)),
  check ((channel = 'webhook') = (sealed_secret is not null))
);
create index alert_recipient_of on alert_recipient (profile_id);
create index alert_recipient_found on alert_recipient (fingerprint);
create index alert_recipient_user on alert_recipient (user_id);

-- A watch of a saved view becomes a profile with the search of that view.
insert into alert_profile (id, account_id, name, filter, time_zone, is_shared, state, created_at, updated_at)
select watch.id, watch.account_id, name, filter, time_zone, is_shared, state, watch.created_at, watch.created_at
  from watch join saved_view on saved_view.id = view_id;
insert into alert_recipient
  (id, profile_id, position, channel, user_id, fingerprint, sealed, masked, sealed_secret)
select id, watch_id, position, channel, user_id, fingerprint, sealed, masked, sealed_secret from watch_recipient;
drop table watch_recipient;
drop table watch;

insert into delivery_cause (kind, id, name, state)
select 'profile', id, name, state from delivery_cause where kind = 'watch';
update delivery_match set cause_kind = 'profile' where cause_kind = 'watch';
delete from delivery_cause where kind = 'watch';
update delivery
   set content = jsonb_set(content, '{causes}', (
     select jsonb_agg(cause || '{"kind": "profile"}' order by at)
       from jsonb_array_elements(content -> 'causes') with ordinality as listed (cause, at)))
 where jsonb_path_exists(content, '$.causes[*] ? (@.kind == "watch")');
alter table delivery_cause
  drop constraint delivery_cause_kind_check,
  add constraint delivery_cause_kind_check check (kind = 'profile');
