-- Goes with Lanterns that know 0087.
-- Lists of names that are matched against every stored threat: suppliers, customers, own brands.
create table name_list (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  name text not null,
  kind text not null check (kind in ('own', 'supplier', 'customer', 'peer', 'other')),
  -- The whole team sees it.
  is_shared boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index name_list_of on name_list (account_id);

create sequence list_entry_revision;
create table list_entry (
  id uuid primary key default gen_random_uuid(),
  list_id uuid not null references name_list on delete cascade,
  name text not null,
  domains text[] not null,
  -- The registrable domains of `domains`, by the public suffix list.
  registrable text[] not null,
  note text,
  -- The reference under which the user's own system knows it.
  key text,
  weight text not null check (weight in ('critical', 'normal')),
  -- Grows with each change of name or domains: a process that holds them knows what it lacks.
  revision bigint not null default nextval('list_entry_revision'),
  -- The entry has been compared with all stored threats.
  is_matched boolean not null default false
);
create index list_entry_of on list_entry (list_id);
create index list_entry_unmatched on list_entry (id) where not is_matched;

create table list_match (
  entry_id uuid not null references list_entry on delete cascade,
  threat_id text not null,
  certainty text not null check (certainty in ('certain', 'to-confirm')),
  rule text not null,
  -- The words of the threat that match.
  words text not null,
  primary key (entry_id, threat_id)
);
create index list_match_of on list_match (threat_id);

-- What the team has decided on a pair stays when the pair is matched anew.
create table list_decision (
  entry_id uuid not null references list_entry on delete cascade,
  threat_id text not null,
  decision text not null check (decision in ('confirmed', 'rejected')),
  decided_at timestamptz(3) not null default now(),
  primary key (entry_id, threat_id)
);
