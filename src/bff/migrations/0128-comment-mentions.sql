-- Goes with Lanterns that know 0124.
alter table triage_event
  -- Whom a comment mentions: account ids, with the positions of the names in the text.
  add column mentions jsonb not null default '[]';

alter table inbox_item
  -- The comment that mentions the account. No reference: old events are deleted.
  add column triage_event_id bigint;
-- A comment notifies an account once.
create unique index inbox_item_mention on inbox_item (triage_event_id, account_id) where triage_event_id is not null;
