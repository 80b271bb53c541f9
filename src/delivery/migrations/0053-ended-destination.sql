-- Goes with Lanterns that know 0052.
-- When a destination last requested that nothing is sent to it any more. Null where it is sent to.
alter table delivery_destination add column ended_at timestamptz;
