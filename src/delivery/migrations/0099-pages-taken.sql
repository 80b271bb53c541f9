-- As many pages of its message as the destination has accepted: the next attempt goes on after them.
alter table delivery add column pages_taken integer not null default 0;
