-- Goes with Lanterns that know 0037.
-- A match is left out also where its profile or watch does not tell the destination any more.
alter table delivery_match
  drop constraint delivery_match_left_out_check,
  add constraint delivery_match_left_out_check check (left_out in ('paused', 'deleted', 'removed'));
