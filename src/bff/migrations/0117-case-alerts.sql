-- A claim of a case of which the profile was notified before, and which says nothing new of it, is not sent.
alter table alert_match
  drop constraint alert_match_state_check,
  add constraint alert_match_state_check
    check (state in ('known', 'enqueued', 'waiting', 'muted', 'repeated')),
  -- What the claim says of its case: an array of {kind, text}. Null of matches from before.
  add column facts jsonb;
create index alert_match_repeated on alert_match (profile_id, at) where state = 'repeated';
