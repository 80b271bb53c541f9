-- The record as the vendor's list reported it last, where a detail that was read later said something else: `threat` is then
-- what is shown, and the list's record replaces only what it has changed itself since. Null where both are the same.
alter table window_threat add column listed text;
