-- Goes with Lanterns that know 0125.
alter table account
  -- Admins were notified that nobody active owns its open cases. False again once the account can own cases.
  add column is_owner_reported boolean not null default false;

alter table inbox_item
  -- The account that the text names: the entry is deleted with it.
  add column about_account_id uuid references account on delete cascade;
