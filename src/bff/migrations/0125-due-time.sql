-- Goes with Lanterns that know 0124.
alter table case_claim
  -- When a request for newer records brought the claim. Null for claims of the past, and for those of older Lanterns.
  add column known_at timestamptz(3),
  -- The severities that it has had since: a bit for each, from 1 for low to 8 for critical.
  add column known_levels smallint not null default 0;
create index case_claim_known on case_claim (case_id) where known_at is not null;

-- How long after it became known a case is due. Null hours: never.
create table due_time (
  severity text primary key check (severity in ('low', 'medium', 'high', 'critical')),
  hours int check (hours between 1 and 8760)
);
insert into due_time (severity, hours) values ('critical', 4), ('high', 24), ('medium', 72), ('low', null);
