-- Saved views whose new threats are told to people.
create table watch (
  id uuid primary key default gen_random_uuid(),
  view_id uuid not null references saved_view on delete cascade,
  -- Whose watch it is; the view may be another's whom the team shares it with.
  account_id uuid not null references account on delete cascade,
  state text not null default 'active' check (state in ('active', 'paused')),
  -- Why it was paused by Lantern and not by a person.
  stopped_because text check (stopped_because in ('owner', 'view')),
  created_at timestamptz(3) not null default now(),
  unique (view_id, account_id)
);
create index watch_of on watch (account_id);

create table watch_recipient (
  id uuid primary key default gen_random_uuid(),
  watch_id uuid not null references watch on delete cascade,
  position integer not null,
  channel text not null check (channel in ('user', 'email', 'slack', 'teams', 'webhook')),
  user_id uuid references account on delete cascade,
  -- An address or a URL, in the clear nowhere: a keyed hash to find it by, itself, and for people to recognise it by.
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
create index watch_recipient_of on watch_recipient (watch_id);
create index watch_recipient_found on watch_recipient (fingerprint);
create index watch_recipient_user on watch_recipient (user_id);

-- Until when Lantern knew all threats of the source: what was published later is news, however it comes.
create table watch_mark (
  is_single boolean primary key default true check (is_single),
  read_to timestamptz not null
);
