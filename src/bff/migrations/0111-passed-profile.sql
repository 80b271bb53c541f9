-- Goes with Lanterns that know 0087.
-- The admins are still to be told by mail that the profile has passed to them.
alter table alert_profile add column is_pass_unmailed boolean not null default false;
