-- Goes with Lanterns that know 0114.
-- A process that holds the pairs of lists in memory reads those again whose list has another `pairs_revision`.
-- `criteria_revision` stays where only threats changed: an alert profile over lists begins anew with another one.
alter table name_list
  add column pairs_revision bigint not null default nextval('list_entry_revision'),
  add column criteria_revision bigint not null default nextval('list_entry_revision');
