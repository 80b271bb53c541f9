create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null check (role in ('viewer', 'analyst', 'admin')),
  -- Null for an account that signs in by other means only.
  password_hash text,
  created_at timestamptz not null default now()
);

-- Every token below is 256 random bits; a row keeps only its SHA-256.
create table session (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null default now(),
  -- The last request that a person made, to the minute.
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_account on session (account_id);

-- Where an account has signed in from: failures made elsewhere do not slow it there.
create table known_place (
  account_id uuid not null references account on delete cascade,
  -- `device` and the SHA-256 of the device's own token, or `address` and an address.
  place text not null,
  signed_in_at timestamptz not null default now(),
  primary key (account_id, place)
);

create table sign_in_attempt (
  -- SHA-256 of what is counted: an account, an address, a known place.
  bucket bytea primary key check (octet_length(bucket) = 32),
  failures int not null,
  blocked_until timestamptz not null,
  changed_at timestamptz not null default now()
);
create index sign_in_attempt_changed on sign_in_attempt (changed_at);

create table sign_in_link (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null references account on delete cascade,
  expires_at timestamptz not null
);

create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- No reference: the record outlives the account.
  actor uuid,
  action text not null,
  route text not null,
  object text,
  address text,
  request_id text
);
create index audit_event_at on audit_event (at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event is append-only';
end
$$;
create trigger audit_event_append_only before update or delete or truncate on audit_event
  for each statement execute function refuse_audit_change();
