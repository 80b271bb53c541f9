-- The row goes with all records when they are read anew, and comes again with another name: whoever keeps the records'
-- terms in memory learns that their spellings are others now.
alter table window_reach add column store_id uuid not null default gen_random_uuid();
