-- Keys that admins set at run time. One is for the origin that it was tested at, and opens nowhere else.
create table api_key (
  origin text not null,
  route_set text not null check (route_set in ('v1', 'earlier')),
  -- AES-256-GCM: nonce, ciphertext, tag. The row's origin and route set are authenticated with it.
  sealed bytea not null,
  last_four text,
  set_at timestamptz not null default now(),
  -- No reference: the record outlives the account.
  set_by uuid,
  primary key (origin, route_set)
);

alter table refused_key
  -- One call finds out at this time whether the key works again.
  add column retry_at timestamptz not null default now(),
  add column refusals int not null default 1,
  -- The call that was refused: calls before it say nothing new.
  add column call_id bigint not null default 0;

-- The vendor's answers of the last day, for every process and after a restart. Third-party text, kept as JSON text.
create table stored_answer (
  -- SHA-256 of the key's fingerprint, the plan and the request: another key never finds it.
  question bytea primary key check (octet_length(question) = 32),
  -- Null until the first answer.
  answer text,
  fetched_at timestamptz not null,
  -- Which process is calling the vendor now: the others wait for its answer.
  asked_by uuid,
  asked_until timestamptz
);
create index stored_answer_fetched on stored_answer (fetched_at);
