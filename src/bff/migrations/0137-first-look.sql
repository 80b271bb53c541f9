-- Goes with Lanterns that know 0124.
-- When a person first acted on each threat. To find that out for some cases, all events of before had to be read.
alter table triage_state add column looked_at timestamptz(3);

insert into triage_state (threat_id, looked_at)
select threat_id, min(at)
  from triage_event cross join unnest(threat_ids) as named (threat_id)
 where account_id <> 'lantern' and undone_by is null and action <> 'undo'
 group by threat_id
    on conflict (threat_id) do update set looked_at = excluded.looked_at;
create index triage_state_looked on triage_state (looked_at) where looked_at is not null;

-- Triggers, because Lanterns of before, which share the database during an upgrade, do not know the column. Whoever adds an
-- event has locked the states of its threats.
create function note_first_look() returns trigger language plpgsql as $$
begin
  insert into triage_state (threat_id, looked_at)
  select distinct threat_id, new.at from unnest(new.threat_ids) as named (threat_id) order by threat_id
      on conflict (threat_id) do update set looked_at = excluded.looked_at
   where triage_state.looked_at is null or triage_state.looked_at > excluded.looked_at;
  return null;
end
$$;
create trigger triage_event_added after insert on triage_event
  for each row when (new.account_id <> 'lantern' and new.undone_by is null and new.action <> 'undo')
  execute function note_first_look();

-- What is undone does not count. Old events are deleted: a first look that one of them was stays.
create function revise_first_look() returns trigger language plpgsql as $$
begin
  update triage_state
     set looked_at = (
           select min(at) from triage_event
            where threat_ids @> array[triage_state.threat_id::text]
              and account_id <> 'lantern' and undone_by is null and action <> 'undo')
   where threat_id = any(new.threat_ids) and looked_at >= least(old.at, new.at);
  return null;
end
$$;
create trigger triage_event_revised after update of undone_by, at on triage_event
  for each row when (old.undone_by is distinct from new.undone_by or old.at <> new.at)
  execute function revise_first_look();

-- The next figures would otherwise be planned for an empty column.
analyze triage_state;
