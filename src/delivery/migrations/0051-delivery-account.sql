-- Whose destinations they are, where several accounts share a database: the same address is one for each, so that no
-- message, and no line of the ledger, tells two of them of each other.
alter table delivery_destination
  add column account text not null default '',
  -- A profile or a watch has it: it stays, however long nothing goes to it.
  add column is_kept boolean not null default false;
create index delivery_destination_of_account on delivery_destination (account);
