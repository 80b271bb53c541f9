-- Which server its messages go to: a keyed hash of the channel and the host. Of destinations that were stored before, the
-- channel alone, until something goes to them again.
alter table delivery_destination add column line text not null default '';
update delivery_destination set line = channel;

-- Whether a critical threat is among what it tells: it goes before others.
alter table delivery add column is_urgent boolean not null default false;
