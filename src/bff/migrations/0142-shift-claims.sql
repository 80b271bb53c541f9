-- Goes with Lanterns that know 0094.
-- Claims that were published before are in a digest of Shift; null before the first one. A digest ends its claims where the
-- vendor's list was read, which is not when it is written.
alter table alert_profile add column claims_until timestamptz(3);
