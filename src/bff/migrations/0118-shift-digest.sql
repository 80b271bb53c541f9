-- Goes with Lanterns that know 0094.
-- When a profile sends the Shift page. Null: it sends what it matches. Lanterns before this one do not know the column:
-- for them, such a profile sends at once, and its search matches nothing. They may also take its due time away.
alter table alert_profile
  add column shift_schedule jsonb check (shift_schedule ->> 'kind' in ('daily', 'weekly')),
  drop constraint alert_profile_digest_check,
  add constraint alert_profile_digest_check check (
    shift_schedule is not null
    or (schedule ->> 'kind' = 'atOnce') = (digest_due is null) and (digest_due is null) = (digest_since is null));
