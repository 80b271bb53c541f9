-- Goes with Lanterns that know 0088.
-- Since when a profile cannot be evaluated. Null where it can.
alter table alert_evaluation add column stopped_since timestamptz;
update alert_evaluation set stopped_since = now() where stopped_at is not null;
