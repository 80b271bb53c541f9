-- Goes with Lanterns that know 0128: they take an entry that was opened for unread.
alter table inbox_item
  -- Its account has opened it. What `inbox_read` says of all entries counts beside it.
  add column is_read boolean not null default false;
