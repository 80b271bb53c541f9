-- Goes with Lanterns that know 0124.
alter table triage_state
  -- When the threat got the comments of its case, in the order of `case_revision`: no event says so. Null for never.
  add column shared_revision bigint;
create index triage_state_shared on triage_state (shared_revision) where shared_revision is not null;
