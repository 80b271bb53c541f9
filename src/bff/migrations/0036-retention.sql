-- What is old is deleted in pieces: each holds others up for a moment alone.

create index triage_event_at on triage_event (at);
-- Deleting an event looks for those that it has undone.
create index triage_event_undone on triage_event (undone_by) where undone_by is not null;

-- As whom it belongs to, who alone may.
do $$
begin
  execute format('set local role %I', (select pg_get_userbyid(proowner) from pg_proc
                                        where oid = 'prune_audit(timestamptz)'::regprocedure));
  drop function prune_audit(timestamptz);
  reset role;
end
$$;

-- Removes the beginning of the chain up to the first record of that time or later, this many records at most, and leaves
-- a checkpoint in the record: the chain is verified from its hash on. Answers how many records went. Looks at no more
-- than may go, and locks nothing where nothing may.
create function prune_audit(until timestamptz, most int, told_route text) returns bigint
language plpgsql security definer as $$
declare
  last audit_link;
  pruned bigint;
begin
  if not exists (
    select from (select record_id from audit_link order by number limit 1) first
      join audit_record on id = first.record_id
     where at < until)
  then return 0; end if;
  lock table audit_record, audit_personal, audit_link in share row exclusive mode;
  with first as (
    select link.number, at from audit_link link join audit_record on id = record_id order by number limit most)
  select link.* into last
    from audit_link link
   where number <= (
           select max(number) from first
            where number < coalesce((select min(number) from first where at >= until), 9223372036854775807))
   order by number desc limit 1;
  if not found then return 0; end if;
  alter table audit_record disable trigger audit_append_only;
  alter table audit_personal disable trigger audit_append_only;
  alter table audit_link disable trigger audit_append_only;
  delete from audit_personal using audit_link link
   where link.record_id = audit_personal.record_id and number <= last.number;
  delete from audit_record using audit_link where record_id = id and number <= last.number;
  delete from audit_link where number <= last.number;
  get diagnostics pruned = row_count;
  alter table audit_record enable trigger audit_append_only;
  alter table audit_personal enable trigger audit_append_only;
  alter table audit_link enable trigger audit_append_only;
  insert into audit_event (action, route, after)
  values ('audit-pruned', told_route,
          json_build_object('rows', pruned, 'before', to_char(until at time zone 'utc', 'YYYY-MM-DD'),
                            'through', last.number, 'hash', encode(last.hash, 'hex'))::text);
  return pruned;
end
$$;
revoke execute on function prune_audit from public;

-- Whoever calls it must not choose what its names mean.
do $$
begin
  execute format('alter function prune_audit set search_path = %I, pg_temp', current_schema());
end
$$;
