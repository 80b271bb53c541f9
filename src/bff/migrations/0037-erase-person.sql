-- As whom it belongs to, who alone may.
do $$
begin
  execute format('set local role %I', (select pg_get_userbyid(proowner) from pg_proc
                                        where oid = 'erase_audited_person(uuid)'::regprocedure));
  drop function erase_audited_person(uuid);
  reset role;
end
$$;

-- Erases what tells of an account's person: where it acted, where it was acted upon, and where one of these addresses
-- stands in what tells of others, such as a sign-in that was refused. Says so in the record, and which of those it
-- were. Answers how many rows that were.
create function erase_audited_person(account uuid, addresses text[]) returns bigint
language plpgsql security definer as $$
declare
  erased bigint;
  others bigint[];
begin
  alter table audit_personal disable trigger audit_append_only;
  delete from audit_personal using audit_record record
   where record.id = record_id
     and (about = 'actor' and record.actor = account or about = 'object' and record.object = account::text);
  get diagnostics erased = row_count;
  with gone as (
    delete from audit_personal
     where exists (
             select from unnest(addresses) as listed (word)
              where strpos(lower(concat_ws(' ', address, name, before, after)), lower(word)) > 0)
    returning record_id)
  select array_agg(distinct record_id) from gone into others;
  alter table audit_personal enable trigger audit_append_only;
  insert into audit_event (action, route, object, after)
  values ('person-erased', 'npm run audit', account::text,
          case when others is not null then json_build_object('records', others)::text end);
  return erased + coalesce(cardinality(others), 0);
end
$$;
revoke execute on function erase_audited_person from public;

-- Whoever calls it must not choose what its names mean.
do $$
begin
  execute format('alter function erase_audited_person set search_path = %I, pg_temp', current_schema());
end
$$;
