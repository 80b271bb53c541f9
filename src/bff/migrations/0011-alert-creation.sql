-- Drafts that were sent a short while ago: one that comes twice is created once, and every process knows of profiles
-- that the list, as it was last read, lacks.
create table alert_creation (
  account_id text not null,
  -- Keyed, so that no destination can be guessed from it.
  draft_hash bytea not null check (octet_length(draft_hash) = 32),
  -- Names the vendor's address and the keys.
  source text not null,
  sent_at timestamptz not null,
  -- `sent` until the vendor's answer is known; `unclear` where it was lost.
  state text not null check (state in ('sent', 'unclear', 'created')),
  -- The created profile as JSON text, its destinations masked.
  profile text check ((profile is not null) = (state = 'created')),
  primary key (source, account_id, draft_hash)
);
create index alert_creation_sent on alert_creation (sent_at);
