-- Goes with Lanterns that know 0094.
-- When a profile that sends Shift no more wrote its last digest of it; null if it never did. Comments are in a digest until
-- it is written, claims until it was due.
alter table alert_profile add column shift_until timestamptz(3);
