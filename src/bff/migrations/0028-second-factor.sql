-- What proves a person beside the password: an authenticator app, passkeys, and codes for when both are lost.

create table totp_factor (
  account_id uuid primary key references account on delete cascade,
  -- AES-256-GCM under SECRET, bound to the account.
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  -- Null until a code has shown that the app has the secret: it counts for nothing before.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: neither it nor one before it is taken again.
  last_step bigint not null default 0
);

create table passkey (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  -- How often the authenticator says that it was used; 0 for good where it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkey_account on passkey (account_id);

-- 80 random bits each; a row keeps only the SHA-256, and goes when its code is used.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (account_id, code_hash)
);

-- A sign-in whose password was right and whose second step is awaited: it opens nothing else.
create table sign_in_step (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  account_id uuid not null references account on delete cascade,
  -- Whether the account has signed in from this browser before: its failures are counted apart from strangers'.
  is_known_device boolean not null,
  -- What a passkey must sign, once.
  challenge text,
  expires_at timestamptz not null
);
create index sign_in_step_account on sign_in_step (account_id);
