-- Goes with Lanterns that know 0113.
-- A case: one victim, claimed once or often. Each stored threat is a claim of one case. Cases outlive their claims' records:
-- a record that comes back finds its case.
create table victim_case (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  -- The case that its claims belong to since it was joined to another one.
  merged_into bigint references victim_case
);

create table case_claim (
  threat_id text collate "C" primary key,
  case_id bigint not null references victim_case,
  -- The case that began with it, or that it came to first: it goes back to it when it leaves another one.
  own_id bigint not null references victim_case,
  -- It has been compared with all other claims since it changed.
  is_compared boolean not null default false
);
create index case_claim_of on case_claim (case_id);

-- Where claims that may be of one victim meet. Made anew from the stored threats.
create table window_case_key (
  key text collate "C" not null,
  threat_id text collate "C" not null references window_threat on delete cascade,
  at timestamptz(3) not null,
  primary key (key, at, threat_id)
);
create index window_case_key_of on window_case_key (threat_id);

-- Two claims that a rule takes to be of one victim. The smaller id comes first. Made anew from the stored threats.
create table window_case_link (
  one_id text collate "C" not null references window_threat on delete cascade,
  other_id text collate "C" not null references window_threat on delete cascade check (one_id < other_id),
  certainty text not null check (certainty in ('certain', 'likely')),
  rule text not null,
  -- The words that both claims have.
  words text not null,
  primary key (one_id, other_id)
);
create index window_case_link_other on window_case_link (other_id);

-- What a person has decided on two claims. No rule changes it.
create table case_decision (
  one_id text collate "C" not null,
  other_id text collate "C" not null check (one_id < other_id),
  decision text not null check (decision in ('same', 'apart')),
  who text not null,
  decided_at timestamptz(3) not null default now(),
  primary key (one_id, other_id)
);
create index case_decision_other on case_decision (other_id);

-- What a person did, so that it can be undone.
create table case_event (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  account_id text not null,
  who text not null,
  action text not null check (action in ('join', 'split', 'keep-apart', 'undo')),
  -- The decisions on each pair before: null for none.
  before jsonb not null,
  undone_by bigint references case_event
);
