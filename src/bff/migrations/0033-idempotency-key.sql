-- Writes that were named by the browser which made them, for a day: one that comes again is answered as it was, and not
-- made twice. Written in the transaction of the write itself.
create table idempotency_key (
  account_id uuid not null references account on delete cascade,
  key uuid not null,
  -- SHA-256 of the route and the body: the same key with another body is a mistake.
  request_hash bytea not null check (octet_length(request_hash) = 32),
  -- The answer as JSON text: jsonb refuses characters that it may hold.
  answer text,
  used_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_key_used on idempotency_key (used_at);
