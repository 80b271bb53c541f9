-- How a view's list is sorted, grouped and shown, as JSON text; null where it was never said.
-- Goes with Lanterns that know 0037.
alter table saved_view add column arrangement text;
