-- Goes with Lanterns that know 0087.
-- The secret that the present one of a webhook replaced, and until when messages are signed with it, too.
alter table alert_recipient
  add column former_secret bytea,
  add column former_until timestamptz,
  add check ((former_secret is null) = (former_until is null));
