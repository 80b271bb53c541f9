-- What each route set's list reported of a record that both have listed, as JSON text: a set changes its own part alone.
-- Null where one set alone has listed it.
alter table window_threat add column by_set text;
