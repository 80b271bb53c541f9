-- Goes with Lanterns that know 0116.
-- A process that holds the cases of claims in memory reads those again that have a newer revision. Cases change under one
-- lock, so that revisions come to light in their order.
create sequence case_revision;
alter table case_claim add column revision bigint not null default nextval('case_revision');
create index case_claim_revision on case_claim (revision);

-- A trigger, because Lanterns of before, which share the database during an upgrade, do not know the column.
create function revise_case_claim() returns trigger language plpgsql as $$
begin
  new.revision := nextval('case_revision');
  return new;
end
$$;
create trigger case_claim_moved before update of case_id on case_claim
  for each row when (old.case_id <> new.case_id) execute function revise_case_claim();
