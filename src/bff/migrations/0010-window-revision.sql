-- Which change of the window a record came with: each process takes over what is new alone.
create sequence window_revision;
alter table window_threat add column revision bigint not null default nextval('window_revision');
create index window_threat_changed on window_threat (revision);
alter table window_reach add column revision bigint not null default 0;

-- Why the window is not kept up, also while there is none. At most one row.
create table window_trouble (
  is_single boolean primary key default true check (is_single),
  source text not null,
  -- A sentence for a person.
  reason text not null
);
alter table window_reach drop column trouble;
