-- Who may call, how often, and with which alert profiles.

create table account (
  id text primary key default 'acc_' || replace(gen_random_uuid()::text, '-', ''),
  name text not null unique,
  created_at timestamptz(3) not null default now()
);

create table api_key (
  id text primary key default 'key_' || replace(gen_random_uuid()::text, '-', ''),
  account_id text not null references account,
  name text not null,
  -- SHA-256 of the token, which is shown once and kept nowhere. Its randomness needs no salt and no slow hash.
  token_hash bytea not null unique,
  earlier_plan text not null check (earlier_plan in ('none', 'detection', 'professional', 'enterprise')),
  -- An Enterprise plan's own number; null is the ceiling for everyone.
  earlier_requests_per_minute integer check (earlier_requests_per_minute > 0),
  v1_plan text not null check (v1_plan in ('none', 'trial', 'protection', 'defend')),
  trial_expires_at timestamptz(3) check ((trial_expires_at is null) = (v1_plan <> 'trial')),
  created_at timestamptz(3) not null default now(),
  -- Revoked, or replaced and past its overlap, from this moment on.
  ends_at timestamptz(3),
  replaced_by text references api_key
);
create index api_key_account on api_key (account_id);

-- One row is a key's UTC day, and within it its latest minute: what limits and usage figures are counted from.
create table request_day (
  key_id text not null references api_key on delete cascade,
  route_set text not null check (route_set in ('earlier', 'v1')),
  day date not null,
  requests integer not null,
  minute timestamptz(0) not null,
  minute_requests integer not null,
  primary key (key_id, route_set, day)
) with (fillfactor = 50);

create table alert_profile (
  id text primary key default 'alp_' || replace(gen_random_uuid()::text, '-', ''),
  account_id text not null references account,
  name text not null,
  keywords text[] not null,
  categories text[] not null,
  emails text[],
  slack_webhook text,
  teams_webhook text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  triggered_count integer not null default 0
);
create index alert_profile_account on alert_profile (account_id, created_at desc, id desc);

-- Makes a trigger happen once for a record, however often the record comes.
create table alert_trigger (
  profile_id text not null references alert_profile on delete cascade,
  threat_id text not null,
  triggered_at timestamptz(3) not null default now(),
  primary key (profile_id, threat_id)
);
