-- The audit record as a hash chain: each link holds the hash of the one before, of its number and of its record, so that
-- what was changed, removed or put in between later is found. What tells of a person lies beside it and enters as a
-- salted hash: it can be erased, and the chain still holds.

alter table audit_event rename to audit_record;
alter table audit_record
  add column actor_hash bytea,
  add column object_hash bytea;

-- Of the account that acted, and of what was acted upon: either may be erased alone.
create table audit_personal (
  record_id bigint not null,
  about text not null check (about in ('actor', 'object')),
  -- Goes with the row: without it, no guess at what was there can be tried.
  salt bytea not null,
  address text,
  name text,
  -- Members of the record's own before and after.
  before text,
  after text,
  primary key (record_id, about)
);

create table audit_link (
  -- Without gaps, in the order of commits.
  number bigint primary key,
  record_id bigint not null unique,
  hash bytea not null
);

-- The last link: what writers wait for each other at, and what shows that the end was cut off.
create table audit_head (
  is_single boolean primary key default true check (is_single),
  number bigint not null,
  hash bytea not null
);

-- Each field with its length, so that no two lists of fields read the same.
create function audit_digest(variadic fields text[]) returns bytea language sql immutable as $$
  select sha256(convert_to(
           string_agg(coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-'), ',' order by place),
           'UTF8'))
    from unnest(fields) with ordinality as listed (field, place)
$$;

create function audit_link_hash(previous bytea, number bigint, record audit_record) returns bytea
language sql stable as $$
  select audit_digest(
    encode(previous, 'hex'), number::text, record.id::text,
    to_char(record.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    record.actor::text, record.action, record.route, record.object, record.before, record.after, record.request_id,
    encode(record.actor_hash, 'hex'), encode(record.object_hash, 'hex'))
$$;

-- Records of before this version. Their before and after were one text each: of an account's, all of it is its person's.
insert into audit_personal (record_id, about, salt, address)
select id, 'actor', uuid_send(gen_random_uuid()), address from audit_record where address is not null;
insert into audit_personal (record_id, about, salt, name, before, after)
select id, 'object', uuid_send(gen_random_uuid()), object_name,
       case when is_of_person then before end, case when is_of_person then after end
  from audit_record, lateral (select action ~ '^(user|profile)-' as is_of_person)
 where object_name is not null or is_of_person and (before is not null or after is not null);

alter table audit_record disable trigger audit_event_append_only;
update audit_record
   set before = case when action !~ '^(user|profile)-' then before end,
       after = case when action !~ '^(user|profile)-' then after end,
       actor_hash = (select audit_digest(encode(salt, 'hex'), address, name, before, after)
                       from audit_personal where record_id = id and about = 'actor'),
       object_hash = (select audit_digest(encode(salt, 'hex'), personal.address, name, personal.before, personal.after)
                        from audit_personal personal where record_id = id and about = 'object');
alter table audit_record drop column address, drop column object_name;

do $$
declare
  record audit_record;
  number bigint := 0;
  hash bytea := '';
begin
  for record in select * from audit_record order by id loop
    number := number + 1;
    hash := audit_link_hash(hash, number, record);
    insert into audit_link values (number, record.id, hash);
  end loop;
  insert into audit_head (number, hash) values (number, hash);
end
$$;

-- As it is committed, so that nobody waits for a transaction that goes on, and no two can wait for each other.
create function chain_audit_record() returns trigger language plpgsql security definer as $$
declare
  head audit_head;
begin
  update audit_head
     set number = audit_head.number + 1,
         hash = audit_link_hash(audit_head.hash, audit_head.number + 1, new)
  returning * into strict head;
  insert into audit_link values (head.number, new.id, head.hash);
  return null;
end
$$;
create constraint trigger audit_record_chained after insert on audit_record
  deferrable initially deferred for each row execute function chain_audit_record();

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;
alter trigger audit_event_append_only on audit_record rename to audit_append_only;
alter table audit_record enable trigger audit_append_only;
create trigger audit_append_only before update or delete or truncate on audit_personal
  for each statement execute function refuse_audit_change();
create trigger audit_append_only before update or delete or truncate on audit_link
  for each statement execute function refuse_audit_change();

-- What is read, and what is written to: whoever may insert here need not, and cannot, write to any of the tables.
-- Texts of JSON objects are joined as texts: they may hold escapes that PostgreSQL reads no JSON with.
create view audit_event as
select record.id, record.at, record.actor, record.action, record.route, record.object, of_actor.address, record.request_id,
       of_object.name as object_name,
       coalesce(left(of_object.before, -1) || ',' || substr(record.before, 2), of_object.before, record.before) as before,
       coalesce(left(of_object.after, -1) || ',' || substr(record.after, 2), of_object.after, record.after) as after,
       of_object.before as personal_before,
       of_object.after as personal_after
  from audit_record record
  left join audit_personal of_actor on of_actor.record_id = record.id and of_actor.about = 'actor'
  left join audit_personal of_object on of_object.record_id = record.id and of_object.about = 'object';

create function insert_audit_event() returns trigger language plpgsql security definer as $$
declare
  actor_salt bytea := uuid_send(gen_random_uuid());
  object_salt bytea := uuid_send(gen_random_uuid());
  has_object boolean := num_nonnulls(new.object_name, new.personal_before, new.personal_after) > 0;
begin
  insert into audit_record (at, actor, action, route, object, before, after, request_id, actor_hash, object_hash)
  values (
    coalesce(new.at, now()), new.actor, new.action, new.route, new.object, new.before, new.after, new.request_id,
    case when new.address is not null
      then audit_digest(encode(actor_salt, 'hex'), new.address, null, null, null) end,
    case when has_object
      then audit_digest(encode(object_salt, 'hex'), null, new.object_name, new.personal_before, new.personal_after) end)
  returning id into new.id;
  if new.address is not null then
    insert into audit_personal (record_id, about, salt, address) values (new.id, 'actor', actor_salt, new.address);
  end if;
  if has_object then
    insert into audit_personal (record_id, about, salt, name, before, after)
    values (new.id, 'object', object_salt, new.object_name, new.personal_before, new.personal_after);
  end if;
  return new;
end
$$;
create trigger audit_event_inserted instead of insert on audit_event
  for each row execute function insert_audit_event();

-- Erases what tells of an account's person, and says so in the record. Answers how many rows that were.
create function erase_audited_person(account uuid) returns bigint language plpgsql security definer as $$
declare
  erased bigint;
begin
  alter table audit_personal disable trigger audit_append_only;
  delete from audit_personal using audit_record record
   where record.id = record_id
     and (about = 'actor' and record.actor = account or about = 'object' and record.object = account::text);
  get diagnostics erased = row_count;
  alter table audit_personal enable trigger audit_append_only;
  insert into audit_event (action, route, object) values ('person-erased', 'npm run audit', account::text);
  return erased;
end
$$;

-- Removes the beginning of the chain up to the first record of that time or later, and leaves a checkpoint in the record:
-- the chain is verified from its hash on. Answers how many records went.
create function prune_audit(until timestamptz) returns bigint language plpgsql security definer as $$
declare
  last audit_link;
  pruned bigint;
begin
  lock table audit_record, audit_personal, audit_link in share row exclusive mode;
  select link.* into last
    from audit_link link
   where number < coalesce(
           (select min(number) from audit_link join audit_record on id = record_id where at >= until),
           9223372036854775807)
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
  values ('audit-pruned', 'npm run audit',
          json_build_object('through', last.number, 'hash', encode(last.hash, 'hex'))::text);
  return pruned;
end
$$;
revoke execute on function erase_audited_person, prune_audit from public;

-- Whoever calls them must not choose what their names mean: temporary tables come last, as they would not by default.
do $$
declare
  function regprocedure;
begin
  for function in select unnest(array[
      'chain_audit_record()', 'insert_audit_event()', 'erase_audited_person(uuid)', 'prune_audit(timestamptz)']) loop
    execute format('alter function %s set search_path = %I, pg_temp', function, current_schema());
  end loop;
end
$$;
