-- Goes with Lanterns that know 0087.
-- The welcome page was shown to an account, or answered. People who have answered the question for their time zone,
-- or stored preferences before that question, are not led to it.
alter table account add column has_seen_welcome boolean not null default false;
update account set has_seen_welcome = has_chosen_time_zone;
