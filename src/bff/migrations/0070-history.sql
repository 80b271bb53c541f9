-- Why nothing older than the stored time is stored, and the name of the keys that the list is read with, which does not give
-- them away. Both are null where the version before has written the row.
alter table window_reach add column beyond text, add column keys_name text;
