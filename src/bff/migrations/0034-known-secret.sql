-- Which SECRET the data was sealed and signed with, so that a process with another one is told. At most one row.
create table known_secret (
  is_single boolean primary key default true check (is_single),
  -- A keyed hash: the secret cannot be told from it.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  since timestamptz not null default now()
);
