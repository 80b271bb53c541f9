-- Every message is of an alert profile by now: its id names what made it.
alter table delivery_match drop column cause_kind;
alter table delivery_cause drop column kind, add primary key (id);
alter table delivery_match
  add unique (event, cause_id, destination_id),
  add foreign key (cause_id) references delivery_cause;
create index delivery_match_by_cause on delivery_match (cause_id);
