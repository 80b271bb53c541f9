-- The version of the source's data that was there when its list was last begun to be read; null where it names none.
alter table window_reach add column data_version text;
