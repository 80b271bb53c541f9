-- Goes with Lanterns that know 0090.
-- What failed or may have failed is looked for every few seconds.
create index delivery_failed on delivery (touched_at) where state in ('failed', 'unclear');

alter table delivery_notice
  -- Why it was raised, and what is sent when it is over.
  add column content jsonb,
  -- Accounts that were notified.
  add column told uuid[] not null default '{}';
-- What lasts is raised again.
update delivery_notice set ended_at = now() where ended_at is null;
