-- What the team has done with threats. It outlives the window: no references to its records.
create table triage_event (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  -- No reference: the record outlives the account.
  account_id text not null,
  -- E-mail of the account at that time.
  who text not null,
  action text not null check (action in ('read', 'unread', 'star', 'unstar', 'dismiss', 'restore', 'note', 'undo')),
  -- The threats that it has changed.
  threat_ids text[] not null,
  reason text,
  -- What a person wrote.
  text text,
  -- The states that it has changed, as they were, by threat id: what undoing restores.
  before jsonb not null,
  undone_by bigint references triage_event
);
create index triage_event_of on triage_event using gin (threat_ids);

create table triage_state (
  threat_id text collate "C" primary key,
  read_at timestamptz(3),
  read_by text,
  starred_at timestamptz(3),
  starred_by text,
  dismissed_at timestamptz(3),
  dismissed_by text,
  dismissed_reason text,
  dismissed_text text,
  notes int not null default 0
);
