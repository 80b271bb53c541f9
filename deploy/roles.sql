-- The database of a Lantern beside a PostgreSQL of its own (16 or newer): who migrates it, who serves from it, and to whom
-- the audit record belongs. Once, as the administrator, with psql 15 or newer and a password for each in the environment:
--   LANTERN_OWNER_PASSWORD=… LANTERN_RUNTIME_PASSWORD=… psql -v ON_ERROR_STOP=1 -f deploy/roles.sql
\getenv owner_password LANTERN_OWNER_PASSWORD
\getenv runtime_password LANTERN_RUNTIME_PASSWORD

create role lantern_owner login password :'owner_password';
create role lantern_runtime login password :'runtime_password';
create role lantern_audit;
grant lantern_audit to lantern_owner with inherit false;
create database lantern owner lantern_owner;
revoke all on database lantern from public;
grant connect on database lantern to lantern_runtime;
