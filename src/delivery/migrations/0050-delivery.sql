-- Messages to people outside: who is told, of what, and how it went. The same in the databases of service and BFF.

-- What makes messages: an alert profile, a watched view.
create table delivery_cause (
  kind text not null check (kind in ('profile', 'watch')),
  id text not null,
  name text not null,
  state text not null default 'active' check (state in ('active', 'paused', 'deleted')),
  primary key (kind, id)
);

-- An address or a URL, by one channel. In the clear nowhere.
create table delivery_destination (
  id uuid primary key default gen_random_uuid(),
  channel text not null,
  -- A keyed hash of the destination: the same destination is one row.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  sealed bytea not null,
  -- For people to recognise it by.
  masked text not null,
  -- Rate: the next message goes no earlier.
  free_at timestamptz,
  -- Circuit breaker: refusals in a row that may pass, and until when nothing is tried. Retry-After is kept here too.
  failures integer not null default 0,
  not_before timestamptz,
  -- Until then, what matches waits to be one message.
  gathers_until timestamptz,
  -- Flood cap: messages since.
  hour_from timestamptz,
  hour_count integer not null default 0,
  touched_at timestamptz not null default now(),
  unique (channel, fingerprint)
);

-- The ledger: a message to one destination.
create table delivery (
  id uuid primary key default gen_random_uuid(),
  destination_id uuid not null references delivery_destination,
  kind text not null check (kind in ('matches', 'test', 'notice')),
  -- What a test or a notice says; matches say it themselves.
  content jsonb check ((content is null) = (kind = 'matches')),
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'retrying', 'failed', 'unclear', 'heldBack', 'notSent')),
  -- Matches are still added: nothing of it was sent yet. One of a destination at a time.
  is_open boolean not null default false,
  -- Why it was not sent.
  reason text,
  attempts integer not null default 0,
  -- As many as there were when a person last had it sent again.
  attempts_before integer not null default 0,
  -- Null where nobody waits for a next attempt.
  next_attempt_at timestamptz,
  -- From the first attempt on.
  retries_until timestamptz,
  -- Who sends it, and until when that is believed without another sign.
  leased_by uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  touched_at timestamptz not null,
  check ((state in ('queued', 'retrying', 'heldBack')) = (next_attempt_at is not null)),
  check ((state = 'sending') = (leased_until is not null)),
  check (not is_open or state in ('queued', 'heldBack'))
);
create unique index delivery_open on delivery (destination_id) where is_open;
create index delivery_due on delivery (next_attempt_at) where next_attempt_at is not null;
create index delivery_leased on delivery (leased_until) where leased_until is not null;
create index delivery_newest on delivery (created_at desc, id desc);
create index delivery_by_destination on delivery (destination_id);

-- Written as it matches; a worker puts it into a delivery. One match never makes two.
create table delivery_match (
  id bigint generated always as identity primary key,
  event text not null,
  cause_kind text not null,
  cause_id text not null,
  destination_id uuid not null references delivery_destination,
  threat_id text not null,
  -- As it is told. The source's text.
  threat jsonb not null,
  delivery_id uuid references delivery on delete cascade,
  -- Why it was left out of its delivery: its cause was paused or deleted.
  left_out text check (left_out in ('paused', 'deleted')),
  matched_at timestamptz not null,
  unique (event, cause_kind, cause_id, destination_id),
  foreign key (cause_kind, cause_id) references delivery_cause
);
create index delivery_match_ungrouped on delivery_match (destination_id) where delivery_id is null;
create index delivery_match_by_delivery on delivery_match (delivery_id);
create index delivery_match_by_cause on delivery_match (cause_kind, cause_id);
create index delivery_match_by_threat on delivery_match (threat_id);
create index delivery_match_by_destination on delivery_match (destination_id);

create table delivery_attempt (
  delivery_id uuid not null references delivery on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Null while it is under way.
  outcome text check (outcome in ('accepted', 'refused', 'unclear')),
  code text,
  -- What the destination said, or what went wrong. Its text.
  excerpt text not null default '',
  -- Its lease ran out: an answer may still come.
  is_abandoned boolean not null default false,
  primary key (delivery_id, number)
);

-- What Lantern has told of itself: once, and once more when it is over.
create table delivery_notice (
  id bigint generated always as identity primary key,
  key text not null,
  raised_at timestamptz not null,
  ended_at timestamptz
);
create unique index delivery_notice_raised on delivery_notice (key) where ended_at is null;

create table delivery_notice_told (
  notice_id bigint not null references delivery_notice on delete cascade,
  delivery_id uuid not null references delivery on delete cascade,
  primary key (notice_id, delivery_id)
);
create index delivery_notice_told_by_delivery on delivery_notice_told (delivery_id);
