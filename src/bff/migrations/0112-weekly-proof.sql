-- Goes with Lanterns that know 0087.
-- When the weekly test of the profile is due. Null where nobody has chosen one.
alter table alert_profile add column proof_due timestamptz;
