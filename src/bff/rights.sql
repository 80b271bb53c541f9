-- Who may do what, where the roles of deploy/roles.sql exist. Each time after the migrations, by whoever migrates.
do $$
declare
  owner name := current_user;
  schema name := current_schema();
  readers text := quote_ident(owner);
  item text;
begin
  -- Only where it was let into this database by name: it may be another Lantern's, whose database lies beside.
  if exists (
    select from pg_database, aclexplode(datacl)
     where datname = current_database() and grantee = to_regrole('lantern_runtime') and privilege_type = 'CONNECT'
  ) then
    readers := readers || ', lantern_runtime';
    execute format('grant usage on schema %I to lantern_runtime', schema);
    select string_agg(format('%I.%I', schema, relname), ', ') into strict item
      from pg_class
     where relnamespace = schema::regnamespace and relkind = 'r'
       and relname <> 'schema_migration' and not starts_with(relname, 'audit_');
    execute format('grant select, insert, update, delete on %s to lantern_runtime', item);
    grant select on schema_migration to lantern_runtime;
    grant usage on sequence window_revision, list_entry_revision, case_revision to lantern_runtime;
    -- For a backup by whoever serves: where each stands, no more.
    select string_agg(format('%I.%I', schema, relname), ', ') into strict item
      from pg_class
     where relnamespace = schema::regnamespace and relkind = 'S' and not starts_with(relname, 'audit_');
    execute format('grant select on sequence %s to lantern_runtime', item);
  end if;

  -- What is called audit belongs to a role that nobody signs in as: the owner, too, has no right to change it.
  if to_regrole('lantern_audit') is not null and pg_has_role(owner, 'lantern_audit', 'member') then
    execute format('grant usage, create on schema %I to lantern_audit', schema);
    for item in
      select format('alter table %s owner to lantern_audit', oid::regclass)
        from pg_class
       where relnamespace = schema::regnamespace and relkind in ('r', 'v') and starts_with(relname, 'audit_')
         and relowner <> to_regrole('lantern_audit')
      union all
      select format('alter function %s owner to lantern_audit', oid::regprocedure)
        from pg_proc
       where pronamespace = schema::regnamespace and strpos(proname, 'audit') > 0
         and proowner <> to_regrole('lantern_audit')
    loop
      execute item;
    end loop;
    execute format('revoke create on schema %I from lantern_audit', schema);
    set local role lantern_audit;
  end if;

  -- No times and no ids, which the record gives itself.
  execute format(
    'grant select, insert (actor, action, route, object, object_name, before, after, personal_before, personal_after,
       address, request_id) on audit_event to %s', readers);
  execute format('grant select on audit_record, audit_personal, audit_link, audit_head to %s', readers);
  execute format('grant select on sequence %s to %s', pg_get_serial_sequence('audit_record', 'id'), readers);
  execute format('grant execute on function erase_audited_person, prune_audit to %I', owner);
  reset role;
end
$$;
