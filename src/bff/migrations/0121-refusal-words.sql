-- Goes with Lanterns that know 0037.
-- The vendor's words for the last refusal of a key. They are third-party text. Null where it gave none.
alter table refused_key add column words text;
