-- Goes with Lanterns that know 0090.
-- What failed or may have failed is looked for every few seconds.
create index delivery_failed on delivery (touched_at) where state in ('failed', 'unclear');
