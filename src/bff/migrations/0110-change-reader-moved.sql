-- Goes with Lanterns that know 0082.
-- When the cursor of a reader of the change log last moved.
alter table change_reader add column moved_at timestamptz not null default now();
